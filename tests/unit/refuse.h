/*
 * refuse.h - calls of the system that fail on request.
 *
 * As with fault.h, those of our own code pass through here.
 */
#ifndef UNIT_REFUSE_H
#define UNIT_REFUSE_H

#include <stdbool.h>
#include <stddef.h>

/* pwrite number `n` from now on, counted from 1, fails with EIO; 0: none does. */
void refuse_write(size_t n);

/* True if one of those since refuse_write(n), n > 0, failed. */
bool refuse_happened(void);

/* So many flocks from now on fail, as others have the lock. */
void refuse_locks(size_t count);

/*
 * Each file is on a file system of that type (statfs: f_type), which takes no flags if
 * they are refused; 0: where it is.
 */
void refuse_flags(long type, bool are_refused);

/* Links cannot be made (link): EPERM. */
void refuse_links(bool are_refused);

#endif
