// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// An image that a run uses: which of the files in the image folder is it?
struct ImageUse {
    QString runId;
    QString name; ///< below the image folder, or an absolute path
    QString from; ///< as in StoredImage
    QString digest; ///< of the file that the run used; empty: unknown
    bool isActive = false; ///< the run has not ended
};

/// What is known of a cluster besides the output of a scan. A value.
struct ImageScan {
    QString scratch; ///< empty: unknown
    int purgeDays = 0; ///< by the site's rule for scratch; 0: none, or unknown
    std::vector<ImageUse> uses; ///< the newest run first
    QStringList activeTexts; ///< values of runs that have not ended, which may name a file
    bool allInUse = false; ///< a job has not ended, and which images it uses is not known
    bool packagesInUse = false; ///< a job has not ended: which packages it uses, only it knows
};

} // namespace slipway
