// Package bed makes several machines of one: each is a network namespace on a bridge of
// its own, with an address, a link that can be taken down, and, where it is asked for, a
// share of a processor.
//
// A Bed needs Linux, root, iproute2, and util-linux. Nothing of it is visible outside: the
// bridge is in a namespace, too, so that its addresses are reached from the machines of
// the bed alone. Close ends every process and removes everything.
//
//	bed, err := bed.New()
//	defer bed.Close()
//	db, err := bed.Machine("db", 0)
//	worker, err := bed.Machine("worker1", 0.2)
//	p, err := worker.Start(bed.Command{Path: "ballast", Args: []string{"worker", …}})
//	worker.Cut()  // its packets are lost
//	worker.Mend()
package bed
