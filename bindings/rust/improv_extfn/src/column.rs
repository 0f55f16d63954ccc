// SPDX-License-Identifier: MIT
//! Columns: many rows of one type.
use std::fmt;

use improv_core_model::{Value, ValueType};

use crate::sys::ColumnHandle;
use crate::ExtFnError;

/// Rows of one type, each a value or an error. Grows at its end.
///
/// A column can go to another thread, and many threads can read one at once.
pub struct Column(ColumnHandle);

impl Column {
    /// An empty column.
    pub fn new(value_type: ValueType) -> Result<Self, ExtFnError> {
        Ok(Column(ColumnHandle::new(value_type)?))
    }

    /// A column of these numbers; the quickest way in.
    pub fn from_numbers(numbers: &[f64]) -> Result<Self, ExtFnError> {
        Ok(Column(ColumnHandle::of_numbers(numbers)?))
    }

    /// A column of these values, each of this type or an error.
    pub fn from_values<'a>(
        value_type: ValueType,
        values: impl IntoIterator<Item = &'a Value>,
    ) -> Result<Self, ExtFnError> {
        let mut column = Column::new(value_type)?;
        for value in values {
            column.push(value)?;
        }
        Ok(column)
    }

    pub(crate) fn owning(handle: ColumnHandle) -> Self {
        Column(handle)
    }

    pub(crate) fn handle(&self) -> &ColumnHandle {
        &self.0
    }

    /// Appends a value of the column's type or an error; any other fails, and the column stays.
    pub fn push(&mut self, value: &Value) -> Result<(), ExtFnError> {
        Ok(self.0.push(value)?)
    }

    /// The type of its values.
    pub fn value_type(&self) -> ValueType {
        self.0.value_type()
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.0.rows()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many rows are errors.
    pub fn error_count(&self) -> usize {
        self.0.error_count()
    }

    /// Whether this row is an error.
    pub fn is_error(&self, row: usize) -> bool {
        self.0.is_error(row)
    }

    /// A copy of the row, or `None` past the end.
    pub fn get(&self, row: usize) -> Option<Value> {
        self.0.get(row).ok()
    }

    /// The words of the error in this row, of any kind of error.
    pub fn error_message(&self, row: usize) -> Option<String> {
        self.0.error_message(row)
    }

    /// Copies of all rows, in order.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.len()).filter_map(|row| self.get(row))
    }

    /// All numbers, 0 for an error; `None` for a column of another type.
    pub fn numbers(&self) -> Option<&[f64]> {
        self.0.numbers()
    }

    /// All booleans as 0 and 1, 0 for an error; `None` for a column of another type.
    pub fn booleans(&self) -> Option<&[u8]> {
        self.0.booleans()
    }

    /// Microseconds since 1970, 0 for an error; `None` for a column of another type.
    pub fn datetimes(&self) -> Option<&[i64]> {
        self.0.datetimes()
    }

    /// All indices, 0 for an error; `None` for a column of another type.
    pub fn enums(&self) -> Option<&[u32]> {
        self.0.enums()
    }

    /// The text of this row; `None` for an error, past the end, and for a column of another type.
    pub fn text(&self, row: usize) -> Option<&str> {
        self.0.text(row)
    }
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Column({:?}, {} rows)", self.value_type(), self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error_value;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn each_type_comes_back_as_it_went_in() {
        let moment = Duration::from_micros(1);
        let times = [UNIX_EPOCH - moment, UNIX_EPOCH + moment];
        let samples = [
            (
                ValueType::Number,
                vec![Value::Number(-0.0), Value::Number(f64::INFINITY)],
            ),
            (
                ValueType::Boolean,
                vec![Value::Boolean(true), Value::Boolean(false)],
            ),
            (
                ValueType::Text,
                vec![Value::Text("a\0ü".into()), Value::Text(String::new())],
            ),
            (
                ValueType::DateTime,
                times.map(|time| Value::DateTime(time.into())).to_vec(),
            ),
            (ValueType::Enum, vec![Value::Enum(0), Value::Enum(u32::MAX)]),
        ];
        for (value_type, mut values) in samples {
            values.push(error_value("why"));
            let column = Column::from_values(value_type, &values).expect("a column");
            assert_eq!(column.value_type(), value_type);
            assert_eq!(column.iter().collect::<Vec<_>>(), values);
            assert_eq!((column.len(), column.error_count()), (3, 1));
            assert!(column.is_error(2) && !column.is_error(0) && !column.is_error(3));
            assert_eq!(column.error_message(2).as_deref(), Some("why"));
            assert_eq!((column.error_message(0), column.get(3)), (None, None));
        }
    }

    #[test]
    fn a_value_of_another_type_leaves_the_column_as_it_was() {
        let mut column = Column::from_numbers(&[1.0]).expect("a column");
        column.push(&Value::Text("x".into())).unwrap_err();
        assert_eq!(column.numbers(), Some(&[1.0][..]));
        assert_eq!(column.booleans(), None);
        assert_eq!(column.text(0), None);
    }

    #[test]
    fn an_empty_column_has_empty_buffers() {
        let column = Column::new(ValueType::Enum).expect("a column");
        assert!(column.is_empty());
        assert_eq!(column.enums(), Some(&[][..]));
        assert_eq!(column.text(0), None);
    }

    #[test]
    fn texts_are_read_where_they_lie() {
        let values = [
            Value::Text("a".into()),
            error_value("why"),
            Value::Text("bc".into()),
        ];
        let column = Column::from_values(ValueType::Text, &values).expect("a column");
        let texts: Vec<_> = (0..4).map(|row| column.text(row)).collect();
        assert_eq!(texts, [Some("a"), None, Some("bc"), None]);
    }
}
