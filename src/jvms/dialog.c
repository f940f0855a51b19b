#include "jvms/dialog.h"
