package sys

import (
	"errors"
	"time"
)

// field is a part of a date or a time that a text may say.
type field struct {
	n     int64
	given bool
}

// timeFields is what a text said. Every part counts: what contradicts the
// others makes it no time.
type timeFields struct {
	year, century, yearOfCentury            field
	isoYear, isoYearOfCentury, isoWeek      field
	month, day, yearDay                     field
	sundayWeek, mondayWeek                  field
	weekday                                 field // 0 is Sunday
	isoWeekday                              field // 7 is Sunday
	hour, hour12, afternoon, minute, second field
	stamp                                   field
}

// numberField is a directive that reads a number.
type numberField struct {
	field       func(f *timeFields) *field
	width       int
	least, most int64
	signed      bool
}

// numberOf is how a directive's number is read.
func numberOf(name string) (n numberField, ok bool) {
	of := func(width int, least, most int64, f func(f *timeFields) *field) (numberField, bool) {
		return numberField{field: f, width: width, least: least, most: most}, true
	}
	switch name {
	case "Y":
		n, ok = of(4, -9999, 9999, func(f *timeFields) *field { return &f.year })
		n.signed = true
	case "G":
		n, ok = of(4, -9999, 9999, func(f *timeFields) *field { return &f.isoYear })
		n.signed = true
	case "s":
		n, ok = of(18, -377705116800, 253402300799, func(f *timeFields) *field { return &f.stamp })
		n.signed = true
	case "C":
		return of(2, 0, 99, func(f *timeFields) *field { return &f.century })
	case "y":
		return of(2, 0, 99, func(f *timeFields) *field { return &f.yearOfCentury })
	case "g":
		return of(2, 0, 99, func(f *timeFields) *field { return &f.isoYearOfCentury })
	case "V":
		return of(2, 1, 53, func(f *timeFields) *field { return &f.isoWeek })
	case "m":
		return of(2, 1, 12, func(f *timeFields) *field { return &f.month })
	case "d", "e":
		return of(2, 1, 31, func(f *timeFields) *field { return &f.day })
	case "j":
		return of(3, 1, 366, func(f *timeFields) *field { return &f.yearDay })
	case "U":
		return of(2, 0, 53, func(f *timeFields) *field { return &f.sundayWeek })
	case "W":
		return of(2, 0, 53, func(f *timeFields) *field { return &f.mondayWeek })
	case "w":
		return of(1, 0, 6, func(f *timeFields) *field { return &f.weekday })
	case "u":
		return of(1, 1, 7, func(f *timeFields) *field { return &f.isoWeekday })
	case "H", "k":
		return of(2, 0, 23, func(f *timeFields) *field { return &f.hour })
	case "I", "l":
		return of(2, 1, 12, func(f *timeFields) *field { return &f.hour12 })
	case "M":
		return of(2, 0, 59, func(f *timeFields) *field { return &f.minute })
	case "S":
		return of(2, 0, 60, func(f *timeFields) *field { return &f.second })
	}
	return n, ok
}

var (
	errTooLittle = errors.New("it does not say both a date and a time of day")
	errContrary  = errors.New("its parts contradict each other")
	errNoDay     = errors.New("there is no such day")
)

// set notes a part, which must agree with what the text said of it before.
func (f *timeFields) set(part *field, n int64) error {
	if part.given && part.n != n {
		return errContrary
	}
	*part = field{n, true}
	return nil
}

// moment is the time that the parts say.
func (f *timeFields) moment() (at time.Time, err error) {
	if f.stamp.given {
		at = time.Unix(f.stamp.n, 0).UTC()
	} else {
		day, err := f.date()
		if err != nil {
			return at, err
		}
		seconds, err := f.secondOfDay()
		if err != nil {
			return at, err
		}
		at = day.Add(time.Duration(seconds) * time.Second)
	}
	if !f.agree(at) {
		return at, errContrary
	}
	return at, nil
}

// secondOfDay counts a leap second as the one before.
func (f *timeFields) secondOfDay() (int64, error) {
	hour := f.hour
	if !hour.given && f.hour12.given && f.afternoon.given {
		hour = field{f.hour12.n%12 + 12*f.afternoon.n, true}
	}
	if !hour.given || !f.minute.given {
		return 0, errTooLittle
	}
	return hour.n*3600 + f.minute.n*60 + min(f.second.n, 59), nil
}

// whole is a year from what was said of it; two digits alone mean the years
// 1970 to 2069.
func whole(year, century, ofCentury field) field {
	switch {
	case year.given || !ofCentury.given:
		return year
	case century.given:
		return field{century.n*100 + ofCentury.n, true}
	case ofCentury.n < 70:
		return field{2000 + ofCentury.n, true}
	}
	return field{1900 + ofCentury.n, true}
}

// day0 is the weekday that was said, 0 for Sunday.
func (f *timeFields) day0() field {
	if f.isoWeekday.given && !f.weekday.given {
		return field{f.isoWeekday.n % 7, true}
	}
	return f.weekday
}

// date finds the day by the first way of saying one that is complete.
func (f *timeFields) date() (time.Time, error) {
	year, weekday := whole(f.year, f.century, f.yearOfCentury), f.day0()
	isoYear := whole(f.isoYear, field{}, f.isoYearOfCentury)
	switch {
	case year.given && f.month.given && f.day.given:
		at := date(year.n, f.month.n, f.day.n)
		if at.Day() != int(f.day.n) {
			return at, errNoDay
		}
		return at, nil
	case year.given && f.yearDay.given:
		at := date(year.n, 1, f.yearDay.n)
		if at.Year() != int(year.n) {
			return at, errNoDay
		}
		return at, nil
	case year.given && f.sundayWeek.given && weekday.given:
		return weekOf(date(year.n, 1, 1), f.sundayWeek.n, weekday.n, 0)
	case year.given && f.mondayWeek.given && weekday.given:
		return weekOf(date(year.n, 1, 1), f.mondayWeek.n, weekday.n, 1)
	case isoYear.given && f.isoWeek.given && weekday.given:
		at := date(isoYear.n, 1, 4) // is in week 1
		at = at.AddDate(0, 0, int(7*(f.isoWeek.n-1)+(weekday.n+6)%7)-(int(at.Weekday())+6)%7)
		if y, _ := at.ISOWeek(); y != int(isoYear.n) {
			return at, errNoDay
		}
		return at, nil
	}
	return time.Time{}, errTooLittle
}

func date(year, month, day int64) time.Time {
	return time.Date(int(year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC)
}

// weekOf is a weekday of a week that begins on the weekday first; week 1 has
// the year's first such day.
func weekOf(newYear time.Time, week, weekday, first int64) (time.Time, error) {
	begin := (first - int64(newYear.Weekday()) + 7) % 7 // days until week 1
	at := newYear.AddDate(0, 0, int(begin+7*(week-1)+(weekday-first+7)%7))
	if at.Year() != newYear.Year() {
		return at, errNoDay
	}
	return at, nil
}

// agree reports whether all that was said is so at that time.
func (f *timeFields) agree(at time.Time) bool {
	isoYear, isoWeek := at.ISOWeek()
	weekday, ordinal := int64(at.Weekday()), int64(at.YearDay()-1)
	year := whole(f.year, f.century, f.yearOfCentury)
	week := whole(f.isoYear, field{}, f.isoYearOfCentury)
	for _, x := range []struct {
		said field
		is   int64
	}{
		{year, int64(at.Year())}, {f.month, int64(at.Month())}, {f.day, int64(at.Day())}, {f.yearDay, ordinal + 1},
		{week, int64(isoYear)}, {f.isoWeek, int64(isoWeek)}, {f.weekday, weekday}, {f.isoWeekday, (weekday+6)%7 + 1},
		{f.sundayWeek, (ordinal + 7 - weekday) / 7}, {f.mondayWeek, (ordinal + 7 - (weekday+6)%7) / 7},
		{f.hour, int64(at.Hour())}, {f.hour12, int64((at.Hour()+11)%12 + 1)}, {f.afternoon, int64(at.Hour() / 12)},
		{f.minute, int64(at.Minute())}, {field{min(f.second.n, 59), f.second.given}, int64(at.Second())},
	} {
		if x.said.given && x.said.n != x.is {
			return false
		}
	}
	return true
}
