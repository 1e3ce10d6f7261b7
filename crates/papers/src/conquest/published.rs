//! The numbers that the thesis prints (sections 7.4 and 8, appendix A).

/// The troops in the order of its tables.
pub(super) const TROOPS: [&str; 7] =
    ["Scout", "Foot Soldier", "Halberdier", "Archer", "Mage", "Knight", "Champion"];

/// Table 3: commands, the setups that have them, how often they were used in 4,650 games.
pub(super) const TABLE_3: [(&str, u32, u64); 9] = [
    ("Chastise", 17, 51_046),
    ("Battle Cry", 29, 49_224),
    ("Stoicism", 15, 24_779),
    ("Vigilance", 7, 21_378),
    ("Shield Wall", 10, 20_561),
    ("Charge", 27, 3_594),
    ("Bombard", 4, 2_292),
    ("Winds of Fate", 2, 2_055),
    ("Regenerate", 7, 1_545),
];

/// Table A.2: the same in the run with extended logging.
pub(super) const TABLE_A2: [(&str, u64); 9] = [
    ("Battle Cry", 91_562),
    ("Chastise", 82_727),
    ("Vigilance", 49_818),
    ("Stoicism", 48_808),
    ("Shield Wall", 35_970),
    ("Regenerate", 5_128),
    ("Bombard", 2_287),
    ("Charge", 0),
    ("Winds of Fate", 0),
];

/// Table A.3, of which tables 4 and 5 are the shares: commands by the troop they were used on.
pub(super) const TABLE_A3: [(&str, [u64; 7]); 7] = [
    ("Battle Cry", [19_732, 2_470, 14_673, 4_510, 5_199, 8_356, 36_622]),
    ("Stoicism", [9_349, 1_431, 8_660, 2_139, 2_318, 5_460, 19_451]),
    ("Regenerate", [0, 0, 16, 0, 0, 20, 5_092]),
    ("Bombard", [358, 48, 263, 221, 253, 211, 933]),
    ("Chastise", [17_964, 2_760, 15_001, 4_370, 5_717, 7_894, 29_021]),
    ("Vigilance", [5_167, 1_181, 3_428, 3_467, 6_457, 5_923, 24_195]),
    ("Shield Wall", [716, 787, 7_751, 222, 321, 7_725, 18_448]),
];

/// Table 6: how often each troop was selected.
pub(super) const TABLE_6: [u64; 7] = [140_540, 23_016, 127_180, 43_941, 50_507, 75_264, 332_373];

/// Table 7: attacks by attacker and defender, and how many of the attacker's killed.
pub(super) const TABLE_7: [([u64; 7], u64); 7] = [
    ([969, 61, 361, 107, 223, 179, 790], 2_042),
    ([123, 12, 81, 14, 28, 23, 90], 283),
    ([1_507, 150, 854, 169, 269, 312, 1_127], 3_819),
    ([1_699, 91, 455, 209, 377, 260, 887], 3_163),
    ([1_234, 78, 867, 95, 203, 244, 845], 3_142),
    ([296, 60, 214, 43, 66, 112, 353], 1_130),
    ([1_526, 197, 1_240, 253, 391, 689, 1_976], 6_241),
];

/// Cycles of any length at 28, 29 and 30 of 50 games (section 8.1), and cycles of three at 29
/// (table A.1).
pub(super) const CYCLES: [u64; 3] = [241, 11, 0];
pub(super) const THREE_CYCLES_AT_29: u64 = 4;

/// Turns a game in the first logged run, with their standard deviation, and moves a turn.
pub(super) const TURNS: [f64; 2] = [80.0, 23.3];
pub(super) const MOVES_A_TURN: f64 = 3.61;

/// Section 7.4: percent of games won by the five agents of the final selection, about 50 each, and
/// which of our players each is. The second sets of parameters are not printed, so ours are guesses.
pub(super) const SELECTION: [(&str, f64, &str); 5] = [
    ("FPU, best parameters", 58.0, "fpu-original"),
    ("full-turn, best", 54.0, "full-turn-original"),
    ("FPU, second", 52.0, "fpu-original, K 1"),
    ("full-turn, second", 50.0, "full-turn-original, K 0.5"),
    ("random search", 35.0, "random-search-original"),
];
