package dev.lance4j.scan.internal.plan;

import dev.lance4j.rowid.RowAddressSet;
import dev.lance4j.rowid.RowMask;
import dev.lance4j.table.FragmentMetadata;
import java.util.Optional;

/**
 * What a scan does with the rows of a fragment.
 *
 * @param rows which of them are worked on; absent for all
 * @param work what is done with each morsel
 * @param keepsAll whether all of these rows come out of the work
 */
record FragmentWork(
    FragmentMetadata fragment,
    Optional<RowMask<RowAddressSet>> rows,
    ProjectNode work,
    boolean keepsAll) {}
