// Package browser tests the pages in a real browser, Chromium, which chromedp drives:
// what people do with the keyboard alone, what axe-core finds (WCAG 2.2 AA), that no page
// breaks its own Content-Security-Policy, and that everything works without JavaScript.
//
//	make browser
//	BALLAST_SCREENSHOTS=folder make browser   # and look at the pages
//
// Without BALLAST_BROWSER=1 the tests are skipped, because they need Chromium and take
// longer than the others. testdata/axe.min.js is axe-core as it was published; the test
// compares its hash (MPL-2.0, for these tests alone).
package browser
