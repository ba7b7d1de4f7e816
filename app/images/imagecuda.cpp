// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imagecuda.h"

#include "remote/base/tr.h"

#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype longestVersion = 60;
constexpr qsizetype longestRequirement = 8192; // NVIDIA's own have 2,000 characters
constexpr qsizetype mostFrameworks = 20;

/// "12.4.1", "12.4.0.041"; empty where a text is anything else.
QString versionIn(const QString& text)
{
    static const QRegularExpression form(
        QStringLiteral(R"(\A\d{1,2}\.\d{1,2}(?:\.\d{1,5}){0,3}\z)"));
    const QString version = text.trimmed();
    return version.size() <= longestVersion && form.match(version).hasMatch() ? version : QString();
}

/// The libraries of cuda-compat. NVIDIA's base images name their package, its framework images
/// the folder, and other images the command that installed them.
bool containsCompat(const ImageDescription& image)
{
    const QMap<QString, QString>& environment = image.environment;
    if (environment.value(QStringLiteral("NV_CUDA_COMPAT_PACKAGE")).startsWith(u"cuda-compat")
        || !environment.value(QStringLiteral("_CUDA_COMPAT_PATH")).isEmpty()
        || environment.value(QStringLiteral("LD_LIBRARY_PATH")).contains(u"/cuda/compat"))
        return true;
    static const QRegularExpression installed(
        QStringLiteral(R"(\binstall\b[^&;|]*\bcuda-compat-\d)"));
    return std::any_of(image.layers.begin(), image.layers.end(), [](const ImageLayer& layer) {
        return layer.createdBy.left(longestRequirement).contains(installed);
    });
}

struct NamedVersion {
    const char* key;
    const char* name;
};

/// NVIDIA_… are the monthly releases of NVIDIA's framework images.
constexpr NamedVersion frameworkVariables[] = {
    {"PYTORCH_VERSION", "PyTorch"},
    {"NVIDIA_PYTORCH_VERSION", "NVIDIA PyTorch"},
    {"TENSORFLOW_VERSION", "TensorFlow"},
    {"NVIDIA_TENSORFLOW_VERSION", "NVIDIA TensorFlow"},
    {"JAX_VERSION", "JAX"},
    {"NVIDIA_JAX_VERSION", "NVIDIA JAX"},
    {"PYTHON_VERSION", "Python"},
    {"CUDNN_VERSION", "cuDNN"},
    {"NV_CUDNN_VERSION", "cuDNN"},
    {"NCCL_VERSION", "NCCL"},
    {"OPENMPI_VERSION", "Open MPI"},
};

/// In labels: "com.nvidia.cudnn.version".
constexpr NamedVersion libraryLabels[] = {{"pytorch", "PyTorch"}, {"tensorflow", "TensorFlow"},
    {"tensorrt", "TensorRT"}, {"cudnn", "cuDNN"}, {"nccl", "NCCL"}, {"cublas", "cuBLAS"}};

/// A value that can stand in a line: short, without control characters.
QString shownText(const QString& value)
{
    const QString text = value.trimmed();
    const bool fits = text.size() <= longestVersion
        && std::all_of(text.begin(), text.end(), [](QChar c) { return c.isPrint(); });
    return fits ? text : QString();
}

/// Collects names with their versions, each name once. Lives as long as one call.
class FrameworkNames {
public:
    void add(const QString& name, const QString& value)
    {
        const QString version = shownText(value);
        if (version.isEmpty() || name.isEmpty() || m_names.contains(name)
            || m_list.size() >= mostFrameworks)
            return;
        m_names << name;
        m_list << name + u' ' + version;
    }
    QStringList list() const { return m_list; }

private:
    QStringList m_names, m_list;
};

void addLabels(const QMap<QString, QString>& labels, FrameworkNames* names)
{
    for (const NamedVersion& known : libraryLabels)
        names->add(QLatin1String(known.name),
            labels.value(QStringLiteral("com.nvidia.%1.version").arg(QLatin1String(known.key))));
    const QString open = QStringLiteral("org.opencontainers.image.");
    QString title = shownText(labels.value(open + u"title"));
    if (title.isEmpty())
        title = shownText(labels.value(open + u"ref.name"));
    names->add(title.isEmpty() ? tr("Image version") : title, labels.value(open + u"version"));
}

} // namespace

ImageCuda cudaOf(const ImageDescription& image)
{
    ImageCuda cuda;
    cuda.version = versionIn(image.environment.value(QStringLiteral("CUDA_VERSION")));
    if (cuda.version.isEmpty())
        cuda.version = versionIn(image.labels.value(QStringLiteral("com.nvidia.cuda.version")));
    cuda.require = image.environment.value(QStringLiteral("NVIDIA_REQUIRE_CUDA"))
                       .left(longestRequirement)
                       .trimmed();
    cuda.hasForwardCompatibility = containsCompat(image);
    const QString off =
        image.environment.value(QStringLiteral("NVIDIA_DISABLE_REQUIRE")).trimmed().toLower();
    cuda.requireIsOff = off == u"1" || off == u"true";
    return cuda;
}

QStringList frameworksOf(const ImageDescription& image)
{
    FrameworkNames names;
    const QString product =
        shownText(image.environment.value(QStringLiteral("NVIDIA_PRODUCT_NAME")));
    for (const NamedVersion& known : frameworkVariables)
        names.add(QLatin1String(known.name), image.environment.value(QLatin1String(known.key)));
    addLabels(image.labels, &names);
    QStringList list = names.list();
    const bool isNamed = std::any_of(list.begin(), list.end(),
        [&](const QString& one) { return one.contains(product, Qt::CaseInsensitive); });
    if (!product.isEmpty() && !isNamed)
        list.prepend(QStringLiteral("NVIDIA ") + product);
    return list;
}

} // namespace slipway
