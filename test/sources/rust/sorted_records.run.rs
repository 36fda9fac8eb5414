// Records of a number and an index, sorted by the number, few and many: the sort is a call, moves whole records, finds its pivot by a
// function that returns an address in them, and panics where two numbers cannot be compared.
// RUN: %clang -O1 -c %S/../Inputs/check.c -o %t.o
// RUN: %rustc_pass --crate-name sorted --edition 2024 -Copt-level=1 %s -o %t -C link-arg=%t.o -C link-args="%runtime"
// RUN: %t double 0.8 1.3 -0.4 2.1
// RUN: %rustc_pass --crate-name sorted --edition 2024 -Copt-level=2 %s -o %t -C link-arg=%t.o -C link-args="%runtime"
// RUN: %t double 0.8 1.3 -0.4 2.1
// RUN: %rustc_pass --crate-name sorted --edition 2024 -Copt-level=3 %s -o %t -C link-arg=%t.o -C link-args="%runtime"
// RUN: %t double 0.8 1.3 -0.4 2.1
#![no_main]

struct Record {
    key: f64,
    id: usize,
}

fn f(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for count in [1, 7, 90] {
        // Far enough from each other that no step of a difference changes the order.
        let key = |i: usize| (i * 37 % count) as f64 + 0.3 * (x[i % x.len()] * (1.0 + 0.1 * i as f64)).sin();
        let mut records: Vec<Record> = (0..count).map(|i| Record { key: key(i), id: i }).collect();
        records.sort_by(|a, b| a.key.partial_cmp(&b.key).unwrap());
        let terms = records.iter().enumerate();
        sum += terms.map(|(i, r)| r.key * (i + 1) as f64 * (1.0 + 0.1 * r.id as f64)).sum::<f64>() / count as f64;
    }
    sum
}

include!("../Inputs/requests.rs");
