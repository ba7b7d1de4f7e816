// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imageinspector.h"
#include "app/images/imagestore.h"
#include "ui/parts/words.h"

namespace slipway {

// Texts of the Images page. All pure. What a registry or a cluster said is shortened and stripped
// of line breaks here, and is shown as plain text.

/// At most `most` characters on one line, and no word so long that a label cannot wrap it.
QString shownText(const QString& text, int most);

StateWord verdictWord(const PartitionVerdict& verdict); ///< ✓ yes, ✕ no, ? unknown, ! CPU only
/// "Runs on gpu. Does not run on gpu-h100, debug. Not known: shared."
QString verdictSummary(const std::vector<PartitionVerdict>& verdicts);
/// The rules and their sources behind the verdicts, one a line.
QString verdictRules(const std::vector<PartitionVerdict>& verdicts);

/// An error of a look at this image. The window asks without a login, so a remedy that needs one
/// names the command that asks with one.
Error lookError(Error error, const ImageReference& image, const QString& siteId);
/// Whether a login may help: the registry wants one, or gives more to those who have one.
bool wantsLogin(const Error& error);
QString imageTitle(const ImageReference& image); ///< "nvidia/pytorch 24.03-py3"
QString registryName(const ImageReference& image); ///< "nvcr.io", "Docker Hub"
QString foldedDigest(const QString& digest); ///< "sha256:4c1f0a9b…21e2"
QString originLine(const ImageDescription& image); ///< "linux/amd64, linux/arm64 · 12 Sep 2025"
QString downloadLine(const ImageDescription& image); ///< "9.1 GiB, compressed, in 61 layers"
QString selfLines(const ImageInspection& inspection); ///< CUDA, frameworks, entrypoint, user
QString whereLine(const ImageInspection& inspection); ///< "/scratch/me/images · 3.1 TiB free"
/// Whether what is to be downloaded alone is more than what is free there.
bool isTooLarge(const ImageInspection& inspection);
/// The largest first.
std::vector<ImageLayer> layersBySize(const ImageDescription& image);
/// "Largest layers: 3.9 GiB (RUN pip install …), 2.2 GiB (COPY …), 59 more"
QString layersLine(const ImageDescription& image);

QString listSummary(const ImageList& list); ///< "5 images, 41 GiB · 3.1 TiB free"
QString cachesLine(const std::vector<ImageCache>& caches); ///< "apptainer: 3.4 GiB in /home/…"
QString storedLine(const StoredImage& image); ///< for a confirmation: the path and its size
QString removedWords(const ImageStore::Removed& removed); ///< "2 removed, 1.5 GiB. 1 left: …"

} // namespace slipway
