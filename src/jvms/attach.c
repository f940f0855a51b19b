#include "jvms/attach.h"
