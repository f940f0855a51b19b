#include "classfile/rewrite.h"
