//! Which file a database is, whatever its name stands for later.

use std::path::Path;

/// Which file a name stands for; `None` if there is none.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileId(Option<(u64, u64)>);

impl FileId {
    #[cfg(unix)]
    pub(crate) fn of(path: &Path) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self(std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino())))
    }

    /// Without numbers of files, only their absence is noticed.
    #[cfg(not(unix))]
    pub(crate) fn of(path: &Path) -> Self {
        Self(path.exists().then_some((0, 0)))
    }
}
