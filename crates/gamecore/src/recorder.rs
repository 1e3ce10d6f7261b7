//! Whoever wants to know what an action does in detail.

/// Hears what happens while an action is applied. Searches apply actions with `()`, which hears nothing: what
/// would be told is not even made.
pub trait Recorder<E> {
    /// This happened.
    fn note(&mut self, event: impl FnOnce() -> E);
}

impl<E> Recorder<E> for () {
    #[inline(always)]
    fn note(&mut self, _event: impl FnOnce() -> E) {}
}

impl<E> Recorder<E> for Vec<E> {
    fn note(&mut self, event: impl FnOnce() -> E) {
        self.push(event());
    }
}
