// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/fieldinput.h"

#include "ui/parts/flowlayout.h"
#include "ui/parts/stepper.h"
#include "ui/parts/text.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QStringList items(const QString& text)
{
    QStringList parts = text.split(u',', Qt::SkipEmptyParts);
    for (QString& part : parts) {
        part = part.trimmed();
    }
    return parts;
}

FieldInput makeLine(const Parameter& field, FieldEdited edited)
{
    auto* edit = new QLineEdit;
    const bool code =
        field.type == Parameter::Type::Command || field.type == Parameter::Type::Image;
    edit->setProperty("code", code);
    edit->setPlaceholderText(field.example);
    QObject::connect(edit, &QLineEdit::textEdited, edit, edited);
    return {edit, edit, [edit](const Parameter& now, bool force) {
                if (edit->text() != now.value && (force || !edit->hasFocus())) {
                    edit->setText(now.value);
                    edit->setCursorPosition(0);
                }
            }};
}

FieldInput makeStepper(const Parameter& field, FieldEdited edited)
{
    auto* stepper = new Stepper;
    stepper->setName(field.label);
    stepper->edit()->setPlaceholderText(field.example);
    QObject::connect(stepper, &Stepper::textEdited, stepper, edited);
    return {stepper, stepper->edit(), [stepper](const Parameter& now, bool force) {
                stepper->setRange(now.least, now.most);
                if (force || !stepper->edit()->hasFocus()) {
                    stepper->setText(now.value);
                }
            }};
}

FieldInput makeCombo(
    const Parameter& field, const QMap<QString, QString>& labels, FieldEdited edited)
{
    auto* combo = new QComboBox;
    const bool free = field.type != Parameter::Type::Choice && labels.isEmpty();
    combo->setEditable(free);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    preparePopup(combo);
    if (free) {
        combo->lineEdit()->setAccessibleName(field.label);
        combo->lineEdit()->setPlaceholderText(field.example);
        QObject::connect(combo, &QComboBox::editTextChanged, combo, edited);
    } else {
        QObject::connect(combo, &QComboBox::activated, combo,
            [combo, edited](int) { edited(combo->currentData().toString()); });
    }
    auto show = [combo, labels, free](const Parameter& now, bool force) {
        if (!force && free && combo->hasFocus()) {
            return;
        }
        const QSignalBlocker quiet(combo);
        QStringList choices = now.choices;
        if (!choices.contains(now.value) && (!free || !now.value.isEmpty())) {
            choices.prepend(now.value);
        }
        combo->clear();
        for (const QString& choice : std::as_const(choices)) {
            combo->addItem(labels.value(choice, choice), choice);
        }
        combo->setCurrentIndex(int(choices.indexOf(now.value)));
        if (free) {
            combo->setEditText(now.value);
        }
    };
    return {combo, combo, show};
}

FieldInput makeFlag(const Parameter& field, FieldEdited edited)
{
    auto* box = new QCheckBox(field.label);
    QObject::connect(
        box, &QCheckBox::clicked, box, [edited](bool on) { edited(on ? u"true"_s : u"false"_s); });
    return {box, box, [box](const Parameter& now, bool) {
                box->setChecked(now.value == u"true"_s || now.value == u"1"_s);
            }};
}

/// One chip per lane; the value is the list of chosen lanes in the order of the recipe.
FieldInput makeChips(
    const Parameter& field, const QMap<QString, QString>& labels, FieldEdited edited)
{
    auto* row = new QWidget;
    auto* layout = new FlowLayout(8, row); // many lanes, or large text, wrap
    QList<QPushButton*> chips;
    for (const QString& choice : field.choices) {
        auto* chip = makeButton(labels.value(choice, choice));
        chip->setProperty("chip", true);
        chip->setProperty("choice", choice);
        chip->setCheckable(true);
        layout->addWidget(chip);
        chips << chip;
    }
    const auto name = [labels](QPushButton* chip) {
        const QString label =
            labels.value(chip->property("choice").toString(), chip->property("choice").toString());
        const QString shown = QString(label).replace(u'&', u"&&"_s);
        chip->setText(chip->isChecked() ? u"✓ "_s % shown : shown);
    };
    for (QPushButton* chip : std::as_const(chips)) {
        QObject::connect(chip, &QPushButton::clicked, row, [chips, edited, name](bool) {
            QStringList chosen;
            for (QPushButton* one : chips) {
                name(one);
                if (one->isChecked()) {
                    chosen << one->property("choice").toString();
                }
            }
            edited(chosen.join(u','));
        });
    }
    return {row, chips.isEmpty() ? row : chips.first(), [chips, name](const Parameter& now, bool) {
                const QStringList chosen = items(now.value);
                for (QPushButton* chip : chips) {
                    chip->setChecked(chosen.contains(chip->property("choice").toString()));
                    name(chip);
                }
            }};
}

} // namespace

void preparePopup(QComboBox* combo)
{
    constexpr int mostRows = 20;
    combo->setMaxVisibleItems(mostRows);
    combo->view()->ensurePolished();
}

FieldInput makeFieldInput(
    const Parameter& field, const QMap<QString, QString>& labels, FieldEdited edited)
{
    using Type = Parameter::Type;
    FieldInput input;
    if (field.type == Type::Lanes) {
        input = makeChips(field, labels, std::move(edited));
    } else if (field.type == Type::Flag) {
        input = makeFlag(field, std::move(edited));
    } else if (field.type == Type::Choice || !field.choices.isEmpty()) {
        input = makeCombo(field, labels, std::move(edited));
    } else if (field.type == Type::Integer) {
        input = makeStepper(field, std::move(edited));
    } else {
        input = makeLine(field, std::move(edited));
    }
    if (field.type != Type::Lanes) {
        input.focus->setAccessibleName(field.label);
        input.focus->setAccessibleDescription(field.help);
    }
    input.focus->setObjectName(u"input-"_s % field.key);
    return input;
}

} // namespace slipway
