//! The tests of all searches, one program: each of its own would compile the same searches of the same
//! games again.

mod common;
mod endings;
mod equals_minimax;
mod even_games;
mod hidden;
mod hidden_agents;
mod hidden_common;
mod hidden_reference;
mod limits;
mod mcts_agent;
mod mcts_common;
mod mcts_pruned_trees;
mod mcts_pruning;
mod mcts_reference;
mod mcts_solver;
mod printed;
mod pruning_common;
mod reports;
mod smallest_tree;
mod tactics;
mod turn_agents;
mod turns;
