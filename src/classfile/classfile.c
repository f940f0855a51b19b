#include "classfile/classfile.h"
