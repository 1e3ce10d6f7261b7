"""Plays any game: corners of Othello where it can, otherwise any legal action by chance."""

import json
import random
import sys

CORNERS = {"a1", "a8", "h1", "h8"}

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "game":
        chance = random.Random(message["seed"])
    elif message["type"] == "decide":
        legal = message["legal"]
        liked = [action for action in legal if action in CORNERS]
        answer = {"action": chance.choice(liked or legal)}
        print(json.dumps(answer), flush=True)
    elif message["type"] == "end":
        break
