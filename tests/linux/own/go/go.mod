module own

go 1.19
