//! A list of numbers that decides everything about a generated program, so that a shorter list is a smaller program.

#[derive(Clone, Debug)]
pub struct Choices {
    list: Vec<u16>,
    at: usize,
}

impl Choices {
    pub fn new(list: Vec<u16>) -> Choices {
        Choices { list, at: 0 }
    }

    /// Below `limit`; zero where the list has ended.
    pub fn below(&mut self, limit: usize) -> usize {
        let number = self.list.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(number) % limit
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub fn is_over(&self) -> bool {
        self.at >= self.list.len()
    }
}
