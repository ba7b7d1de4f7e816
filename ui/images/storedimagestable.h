// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imagestore.h"

#include <QTableWidget>

namespace slipway {

/// StoredImagesTable lists the image files on a cluster, one a row; several can be selected. GUI
/// thread; StoredImagesCard owns it.
class StoredImagesTable : public QTableWidget {
    Q_OBJECT

public:
    explicit StoredImagesTable(QWidget* parent = nullptr);
    void setImages(const std::vector<StoredImage>& images);
    /// Those that are selected, in the order of the rows.
    std::vector<StoredImage> selected() const;

signals:
    /// The Delete key was pressed.
    void removeRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fillRow(int row, const StoredImage& image);
    void fitHeight();

    std::vector<StoredImage> m_images;
};

} // namespace slipway
