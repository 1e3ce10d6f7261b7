//! For every square, the squares that a queen would see along each of the eight directions.

/// Steps of the four rising directions: right, down-left, down, down-right as the board is
/// printed with row 1 on top. The falling directions are their negatives, in the same order.
pub(super) const STEPS: [u32; 4] = [1, 7, 8, 9];

/// The rays of one square, its own square left out.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Rays {
    /// Towards higher bits, in the order of [`STEPS`].
    pub(super) rising: [u64; 4],
    /// Towards lower bits, in the order of [`STEPS`].
    pub(super) falling: [u64; 4],
}

/// The rays of all squares: one cache line each.
pub(super) static RAYS: [Rays; 64] = all_rays();

const fn all_rays() -> [Rays; 64] {
    let directions: [(i32, i32); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];
    let mut all = [Rays { rising: [0; 4], falling: [0; 4] }; 64];
    let mut square = 0;
    while square < 64 {
        let mut index = 0;
        while index < 4 {
            let (down, right) = directions[index];
            all[square].rising[index] = ray(square as i32, down, right);
            all[square].falling[index] = ray(square as i32, -down, -right);
            index += 1;
        }
        square += 1;
    }
    all
}

const fn ray(square: i32, down: i32, right: i32) -> u64 {
    let mut seen = 0;
    let mut row = square / 8 + down;
    let mut column = square % 8 + right;
    while row >= 0 && row < 8 && column >= 0 && column < 8 {
        seen |= 1 << (row * 8 + column);
        row += down;
        column += right;
    }
    seen
}
