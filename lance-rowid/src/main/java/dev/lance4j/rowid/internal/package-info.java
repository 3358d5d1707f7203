/** The forms that keep row ids, versions and sets of rows small. Not API. */
package dev.lance4j.rowid.internal;
