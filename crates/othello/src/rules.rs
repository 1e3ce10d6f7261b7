//! The rules of Othello as a [`Game`].

use gamecore::key::fold;
use gamecore::{Buf, Game, Horizon, Rng, Seat, Traits, Turn};

use crate::bits;
use crate::square;

/// Othello, standard rules: black (seat 0) begins, a side without a move passes, the game ends
/// when neither side can move, and the side with more discs wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Othello;

/// A square to play on, or the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

impl Move {
    /// Hands over the turn; legal only where no disc can be placed.
    pub const PASS: Self = Self(square::PASS);

    /// A disc on this square, or the pass for [`square::PASS`]; `None` for other numbers.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number <= square::PASS { Some(Self(number)) } else { None }
    }

    /// The number of the square, or [`square::PASS`].
    #[inline]
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// A position: two boards, the seat to move, and its moves, computed once on the way here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    own: u64,
    opp: u64,
    moves: u64,
    mover: Seat,
    over: bool,
}

impl Board {
    /// The first position of every game.
    pub const START: Self = Self {
        own: bits::START_OWN,
        opp: bits::START_OPP,
        moves: 1 << 19 | 1 << 26 | 1 << 37 | 1 << 44,
        mover: Seat::Zero,
        over: false,
    };

    /// A position with these discs, `mover` to move. The boards must not overlap.
    #[must_use]
    #[inline]
    pub fn new(own: u64, opp: u64, mover: Seat) -> Self {
        debug_assert!(own & opp == 0, "a square holds one disc");
        let moves = bits::moves(own, opp);
        let over = moves == 0 && bits::moves(opp, own) == 0;
        Self { own, opp, moves, mover, over }
    }

    /// Discs of the side to move.
    #[must_use]
    #[inline]
    pub fn own(&self) -> u64 {
        self.own
    }

    /// Discs of the side that waits.
    #[must_use]
    #[inline]
    pub fn opp(&self) -> u64 {
        self.opp
    }

    /// Squares where the side to move may place a disc; none if it must pass.
    #[must_use]
    #[inline]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The side to move; after the end, the side that would be.
    #[must_use]
    #[inline]
    pub fn mover(&self) -> Seat {
        self.mover
    }

    /// Neither side can move.
    #[must_use]
    #[inline]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Discs of one seat.
    #[must_use]
    #[inline]
    pub fn discs(&self, seat: Seat) -> u64 {
        if seat == self.mover { self.own } else { self.opp }
    }

    /// Number of empty squares.
    #[must_use]
    pub fn empties(&self) -> u32 {
        (self.own | self.opp).count_zeros()
    }
}

impl Game for Othello {
    type State = Board;
    type Action = Move;
    type View = Board;
    type Setup = ();

    const NAME: &'static str = "othello";
    // Any set of discs is a position. 35 moves have been constructed; nobody has proved a bound
    // below the number of squares.
    const MAX_ACTIONS: usize = square::COUNT as usize;

    fn traits(&self) -> Traits {
        Traits { hidden: false, chance: false }
    }

    fn start(&self, (): &(), _rng: &mut Rng) -> Board {
        Board::START
    }

    #[inline]
    fn turn(&self, board: &Board) -> Turn {
        if board.over { Turn::Over } else { Turn::Player(board.mover) }
    }

    #[inline]
    fn actions(&self, board: &Board, out: &mut Buf<Move>) {
        let mut moves = board.moves;
        if moves == 0 {
            if !board.over {
                out.push(Move::PASS);
            }
            return;
        }
        while moves != 0 {
            out.push(Move(moves.trailing_zeros() as u8));
            moves &= moves - 1;
        }
    }

    #[inline]
    fn apply(&self, board: &mut Board, action: Move) {
        let Board { own, opp, mover, .. } = *board;
        *board = if action == Move::PASS {
            Board::new(opp, own, mover.other())
        } else {
            let flips = bits::flips(action.0, own, opp);
            Board::new(opp ^ flips, own | flips | 1 << action.0, mover.other())
        };
    }

    fn payoff(&self, board: &Board, seat: Seat) -> f32 {
        let (mine, theirs) = (board.discs(seat), board.discs(seat.other()));
        match mine.count_ones().cmp(&theirs.count_ones()) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        }
    }

    // An action flips many discs, so a key updated disc by disc would cost more than this.
    #[inline]
    fn key(&self, board: &Board) -> u64 {
        fold(fold(board.mover.index() as u64, board.own), board.opp)
    }

    fn view(&self, board: &Board, _seat: Seat) -> Board {
        *board
    }

    fn sample(&self, view: &Board, _rng: &mut Rng) -> Board {
        *view
    }

    fn is_pass(&self, action: Move) -> bool {
        action == Move::PASS
    }

    fn playout(&self, board: &mut Board, rng: &mut Rng, horizon: Horizon) -> u32 {
        // Every action, a pass too, ends the turn.
        let limit = horizon.actions.min(horizon.turns);
        let end = bits::playout(board.own, board.opp, rng, limit);
        let mover = if end.swapped() { board.mover.other() } else { board.mover };
        *board = Board::new(end.own, end.opp, mover);
        end.actions
    }

    fn perft(&self, board: &Board, depth: u32) -> u64 {
        bits::perft(board.own, board.opp, depth)
    }
}
