// Shortens an archive of Python's sources, by the Python that will read them: `node shorten.mjs FOLDER-OF-PYODIDE ARCHIVE OUT`.
// Comments and documentation are left out, nothing is compressed: the whole archive is, later (web/alone/export.py).
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, archive, out] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(folder, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: folder });
python.FS.writeFile("/in.zip", readFileSync(archive));
python.runPython(`
import ast
import zipfile

def shortened(source):
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        told = [each for each in body
                if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) and isinstance(each.value.value, str))]
        node.body = told if told or isinstance(node, ast.Module) else [ast.Pass()]
    return ast.unparse(tree)

with zipfile.ZipFile("/in.zip") as given, zipfile.ZipFile("/out.zip", "w") as made:
    for name in sorted(given.namelist()):
        content = given.read(name)
        if name.endswith(".py"):
            content = shortened(content).encode()
        made.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content)
`);
writeFileSync(out, python.FS.readFile("/out.zip"));
