/** Compares Lance4j with the real library: the same work on the same data in the same run. */
package dev.lance4j.benchmarks;
