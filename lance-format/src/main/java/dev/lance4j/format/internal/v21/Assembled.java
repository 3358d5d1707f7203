package dev.lance4j.format.internal.v21;

import dev.lance4j.format.internal.data.ArrayData;
import dev.lance4j.format.internal.v21.level.Unraveler;

/**
 * An array built from the leaf outwards.
 *
 * @param data the array so far
 * @param levels the levels of the layers that are still to be built around it
 */
record Assembled(ArrayData data, Unraveler levels) {}
