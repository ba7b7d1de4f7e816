// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/project/projectfiles.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// One import statement of a Python file.
struct PythonImport {
    QString module; ///< "torch.nn"; of `from . import x`: empty
    QStringList names; ///< what follows `from … import`
    int level = 0; ///< the dots of a relative import
    int line = 0;
    bool isOptional = false; ///< inside of a `try`
};

/// What one Python file says that matters for its launch. A value; `Found::file` is left empty.
struct PythonReading {
    std::vector<PythonImport> imports;
    Found guard; ///< if __name__ == "__main__"
    Found cuda; ///< the first mention of CUDA, NCCL or a GPU by its name
    Found distributed; ///< init_process_group(), DistributedDataParallel
    Found spawn; ///< it starts its processes itself
    Found workers; ///< num_workers=8; `what` is the number
    Found trainer; ///< Trainer(…)
    QMap<QString, QString> trainerValues; ///< its arguments that are plain values
    std::vector<Found> variables; ///< environment variables that look like a secret
};

/// Reads without running: strings and comments do not count as code. Bounded by the text's length.
PythonReading readPython(const QString& text);

} // namespace slipway
