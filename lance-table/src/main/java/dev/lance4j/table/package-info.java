/**
 * Tables: their manifests, fragments, deletion vectors and transactions, how versions are found and
 * committed, and reading one fragment.
 */
package dev.lance4j.table;
