// Package e2e tests the whole program in a real browser: the site as it is
// built, served with its headers, driven through Chromium.
//
// Without a browser the tests are skipped, unless PCPSCOPE_BROWSER=required.
// PCPSCOPE_SCREENSHOTS names a folder for pictures of the states that the
// tests pass through.
package e2e
