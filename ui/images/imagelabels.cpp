// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/imagelabels.h"

#include "ui/parts/text.h"

namespace slipway {

TextLabel* wrappedLabel(const QString& text, const char* role)
{
    auto* label = new TextLabel(text, role);
    label->setWordWrap(true);
    return label;
}

TextLabel* namedLabel(const char* name, const char* role)
{
    TextLabel* label = wrappedLabel({}, role);
    label->setObjectName(QLatin1StringView(name));
    return label;
}

} // namespace slipway
