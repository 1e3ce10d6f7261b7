#!/usr/bin/env python3
"""Speed of Othello in warroom and in OpenSpiel, on this machine and one core.

    pip install open_spiel
    python3 examples/against_openspiel.py            # warroom from the PATH
    taskset -c 1 python3 examples/against_openspiel.py target/release/warroom

Both sides play random games from the start, and run 10,000 MCTS simulations of one rollout each from
the start. OpenSpiel's part is its C++ code: `pyspiel.MCTSBot` with `pyspiel.RandomRolloutEvaluator`. Python
cannot ask that evaluator for rollouts alone, so they are one simulation whose leaf is valued by many. The two
programs take turns; the best of five counts for each.
"""

import json
import subprocess
import sys
import time
from importlib.metadata import version

import pyspiel

ROUNDS = 5
SIMULATIONS = 10_000
ROLLOUTS = 5_000
WARROOM = sys.argv[1] if len(sys.argv) > 1 else "warroom"


def openspiel(simulations, rollouts):
    """Random games a second of processor time: every simulation plays `rollouts` of them."""
    game = pyspiel.load_game("othello")
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    # Exploration constant, simulations, memory in MB, solver, seed, talkative.
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, simulations, 1000, False, 1, False)
    state = game.new_initial_state()
    began = time.process_time()
    bot.step(state)
    return simulations * rollouts / (time.process_time() - began)


def warroom(*words):
    words = [WARROOM, *words, "--json", "--quiet"]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def warroom_playouts():
    results = warroom("bench", "othello", "--quick")["results"]
    return next(one["value"] for one in results if one["name"] == "othello/playouts")


def warroom_mcts():
    answer = warroom("search", "othello", "--agent", f"uct:iterations={SIMULATIONS}", "--threads", "1")
    return SIMULATIONS / answer["timing"]["seconds"]


def main():
    print(f"OpenSpiel {version('open_spiel')}, Othello from the start, one core, best of {ROUNDS}")
    measures = [
        ("random games/s", warroom_playouts, lambda: openspiel(1, ROLLOUTS)),
        ("MCTS simulations/s", warroom_mcts, lambda: openspiel(SIMULATIONS, 1)),
    ]
    for name, ours, theirs in measures:
        rounds = [(ours(), theirs()) for _ in range(ROUNDS)]
        best, other = (max(column) for column in zip(*rounds))
        print(f"{name:<20} warroom {best:>12,.0f}   OpenSpiel {other:>8,.0f}   ratio {best / other:.0f}")


if __name__ == "__main__":
    main()
