module millwright.dev/benchmarks/cloud

go 1.26.0
