package simulate

// LifeExpectancy withdraws the value divided by the years that remain by the United
// States' uniform lifetime table.
type LifeExpectancy struct {
	Age int // at the start of the plan
}

// lifetimes is the uniform lifetime table of the United States for years from 2022
// on (26 CFR 1.401(a)(9)-9(c)), from the age of 72. The last value stands for all
// ages above.
var lifetimes = [...]float64{
	27.4, 26.5, 25.5, 24.6, 23.7, 22.9, 22.0, 21.1, 20.2, 19.4, // 72
	18.5, 17.7, 16.8, 16.0, 15.2, 14.4, 13.7, 12.9, 12.2, 11.5, // 82
	10.8, 10.1, 9.5, 8.9, 8.4, 7.8, 7.3, 6.8, 6.4, 6.0, // 92
	5.6, 5.2, 4.9, 4.6, 4.3, 4.1, 3.9, 3.7, 3.5, 3.4, // 102
	3.3, 3.1, 3.0, 2.9, 2.8, 2.7, 2.5, 2.3, 2.0, // 112 to 120
}

// FirstAge is the first age of the table.
const FirstAge = 72

// Check wants an age that the table has.
func (r LifeExpectancy) Check() error {
	if r.Age < FirstAge || r.Age > 120 {
		return invalid("age", "age is %d: the uniform lifetime table has the ages from %d to 120; before %d, another rule such as vpw can be used", r.Age, FirstAge, FirstAge)
	}
	return nil
}

// Pay is the value over the years that are left.
func (r LifeExpectancy) Pay(s *State, _ *Memory) float64 {
	age := min(r.Age+s.Month/12-FirstAge, len(lifetimes)-1)
	return s.ofStep(s.Value / lifetimes[age])
}
