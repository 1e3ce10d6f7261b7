//! A run as a Parquet file, for data frames.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use lab::run::ExportRow;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use serde_json::{Map, Value};

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Whole,
    Real,
    Text,
}

/// The columns that are not whole numbers.
const REAL: [&str; 4] = ["points_of_a", "entropy", "seconds_0", "seconds_1"];
const TEXT: [&str; 8] = ["condition", "a", "b", "outcome", "reason", "mark", "moves", "host"];

fn kind(name: &str) -> Kind {
    if REAL.contains(&name) {
        Kind::Real
    } else if TEXT.contains(&name) {
        Kind::Text
    } else {
        Kind::Whole
    }
}

/// Rows that are held at a time, and make a row group.
const GROUP: usize = 20_000;

/// A file that is written, with the columns of the other formats; what is not known is null.
pub(crate) struct ParquetFile<'a, W: Write + Send> {
    names: &'a [String],
    file: SerializedFileWriter<W>,
    waiting: Vec<Map<String, Value>>,
}

impl<'a, W: Write + Send> ParquetFile<'a, W> {
    pub(crate) fn new(names: &'a [String], out: W) -> Result<Self> {
        let schema = Type::group_type_builder("game")
            .with_fields(names.iter().map(|name| column_type(name)).collect::<Result<_>>()?)
            .build()?;
        let properties = Arc::new(WriterProperties::default());
        let file = SerializedFileWriter::new(out, Arc::new(schema), properties)?;
        Ok(Self { names, file, waiting: Vec::new() })
    }

    pub(crate) fn add(&mut self, row: ExportRow) -> Result<()> {
        match serde_json::to_value(row)? {
            Value::Object(fields) => self.waiting.push(fields),
            other => bail!("a row is an object, not {other}"),
        }
        if self.waiting.len() == GROUP { self.write_group() } else { Ok(()) }
    }

    pub(crate) fn close(mut self) -> Result<()> {
        self.write_group()?;
        self.file.close()?;
        Ok(())
    }

    fn write_group(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        let mut group = self.file.next_row_group()?;
        for name in self.names {
            let cells: Vec<&Value> = rows.iter().map(|row| &row[name]).collect();
            let wrong = || anyhow!("the column {name} holds something else than it should");
            match kind(name) {
                Kind::Whole => {
                    column::<Int64Type>(&mut group, &cells, |cell| {
                        cell.as_i64().ok_or_else(wrong)
                    })?;
                }
                Kind::Real => {
                    column::<DoubleType>(&mut group, &cells, |cell| {
                        cell.as_f64().ok_or_else(wrong)
                    })?;
                }
                Kind::Text => column::<ByteArrayType>(&mut group, &cells, |cell| {
                    cell.as_str().map(ByteArray::from).ok_or_else(wrong)
                })?,
            }
        }
        group.close()?;
        Ok(())
    }
}

fn column_type(name: &str) -> Result<Arc<Type>> {
    let (physical, logical) = match kind(name) {
        Kind::Whole => (Physical::INT64, None),
        Kind::Real => (Physical::DOUBLE, None),
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let column = Type::primitive_type_builder(name, physical)
        .with_repetition(Repetition::OPTIONAL)
        .with_logical_type(logical)
        .build()?;
    Ok(Arc::new(column))
}

/// One column: the values that are there, and which are.
fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    cells: &[&Value],
    read: impl Fn(&Value) -> Result<T::T>,
) -> Result<()> {
    let known = cells.iter().filter(|cell| !cell.is_null());
    let values = known.map(|cell| read(cell)).collect::<Result<Vec<T::T>>>()?;
    let there: Vec<i16> = cells.iter().map(|cell| i16::from(!cell.is_null())).collect();
    let mut writer = group.next_column()?.ok_or_else(|| anyhow!("a column too many"))?;
    writer.typed::<T>().write_batch(&values, Some(&there), None)?;
    Ok(writer.close()?)
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    fn row(number: u64, points: Option<f64>) -> ExportRow {
        ExportRow {
            number,
            cell: 0,
            condition: "winds=random".into(),
            a: "one, \"two\"".into(),
            b: "ü".into(),
            pair: number / 2,
            game: 0,
            seat_of_a: 0,
            first_seat: None,
            outcome: gamecore::Outcome::Draw,
            reason: String::new(),
            points_of_a: points,
            mark: "",
            actions: 1,
            turns: 1,
            decisions: 1,
            choices: 2,
            entropy: None,
            half_leader: Some(1),
            moves: "00ff".into(),
            counts: [("attacks".to_owned(), Some(number))].into(),
            seconds_0: None,
            seconds_1: None,
            host: None,
        }
    }

    fn columns(times: bool) -> Vec<String> {
        let seconds = times.then_some(0.0);
        let row = ExportRow { seconds_0: seconds, seconds_1: seconds, ..row(0, None) };
        let row = serde_json::to_value(row).unwrap();
        row.as_object().unwrap().keys().cloned().collect()
    }

    fn write(rows: &[ExportRow], names: &[String], out: &mut Vec<u8>) {
        let mut file = ParquetFile::new(names, out).unwrap();
        for row in rows {
            file.add(row.clone()).unwrap();
        }
        file.close().unwrap();
    }

    #[test]
    fn what_is_written_can_be_read() {
        let mut bytes = Vec::new();
        let names = columns(false);
        write(&[row(3, Some(0.5)), row(4, None)], &names, &mut bytes);
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 2);
        let field = |row: usize, name: &str| {
            let mut columns = rows[row].get_column_iter();
            columns.find(|(found, _)| *found == name).map(|(_, field)| field.clone()).unwrap()
        };
        assert_eq!(field(0, "number"), Field::Long(3));
        assert_eq!(field(0, "condition"), Field::Str("winds=random".into()));
        assert_eq!(field(0, "a"), Field::Str("one, \"two\"".into()));
        assert_eq!(field(0, "points_of_a"), Field::Double(0.5));
        assert_eq!(field(1, "points_of_a"), Field::Null);
        assert_eq!(field(1, "half_leader"), Field::Long(1));
        assert_eq!(field(1, "attacks"), Field::Long(4));
        assert!(!rows[0].get_column_iter().any(|(name, _)| name == "seconds_0"));
    }

    #[test]
    fn a_table_without_rows_has_its_columns() {
        let mut bytes = Vec::new();
        let names = columns(true);
        write(&[], &names, &mut bytes);
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let schema = reader.metadata().file_metadata().schema();
        assert_eq!(schema.get_fields().len(), names.len());
        assert_eq!(reader.get_row_iter(None).unwrap().count(), 0);
    }
}
