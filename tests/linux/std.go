// SPDX-License-Identifier: BSD-2-Clause
// std.go - goroutines, channels, maps and the collector of Go.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var wait sync.WaitGroup
	sums := make(chan int, 4)
	for i := 0; i < 4; i++ {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			words := map[int]string{}
			for k := 0; k < 1000; k++ {
				words[k] = fmt.Sprint(k * i)
			}
			sums <- len(words[999])
		}(i)
	}
	wait.Wait()
	runtime.GC()
	close(sums)
	total := 0
	for n := range sums {
		total += n
	}
	fmt.Println("go", total)
}
