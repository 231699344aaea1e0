import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { brotli, quickGzip } from '../../../firmware-pack/format/encodings.ts'
import { measureFirstLoad, measureWholeLoad } from '../../../firmware-pack/size/first-load.ts'

const test = suite('first load')

const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text) })

const PAGE = file(
  'index.html',
  `<!doctype html><link rel="icon" href="icon.png" /><link href='./a/main.css' rel=stylesheet>
  <!-- <script src="old.js"></script> --><link rel="modulepreload" crossorigin href="/a/ahead.js?v=1">
  <script type="module" src="./a/main.js"></script><script src="https://elsewhere.test/x.js"></script><script>let a = 1</script>`
)
const FILES = [
  PAGE,
  file('a/main.css', '@import "more.css";a{color:red}'),
  file('a/more.css', 'b{color:red}'),
  file('a/main.js', "import{a}from'./needed.js';export*from'./again.js';const f=()=>import('./later.js');a(f)"),
  file('a/needed.js', "import './main.js'\nexport const a = () => 'import \"./not.js\"'"),
  file('a/again.js', 'export const b = 2'),
  file('a/ahead.js', 'export {}'),
  file('a/later.js', 'export const c = 3'),
  file('icon.png', 'picture'),
  file('wizard/index.html', '<script src="w.js"></script>'),
  file('wizard/w.js', 'let w')
]
const ofPaths = (...paths: string[]) => FILES.filter(({ path }) => paths.includes(path))

test('the first load is the page, its references and their dependencies', () => {
  const loaded = ofPaths(
    'index.html',
    'a/main.css',
    'a/more.css',
    'a/main.js',
    'a/needed.js',
    'a/again.js',
    'a/ahead.js'
  )
  const load = measureFirstLoad(FILES)
  assert.equal(load.files, 7)
  const sum = (size: (bytes: Buffer) => number) => loaded.reduce((all, { bytes }) => all + size(bytes), 0)
  assert.equal(
    load.raw,
    sum((bytes) => bytes.length)
  )
  assert.equal(
    load.gzip,
    sum((bytes) => quickGzip(bytes).length)
  )
  assert.equal(
    load.brotli,
    sum((bytes) => brotli(bytes).length)
  )
})

test('the language pack that the page names is counted, and is no script', () => {
  const page = file(
    'index.html',
    '<script data-script="main.js" data-en="en.txt later.txt" data-zh="zh.txt later.txt"></script>'
  )
  const texts = [file('en.txt', 'Disconnect clients\nOn air: {0}\n'), file('zh.txt', '断开客户端')]
  assert.equal(measureFirstLoad([page, file('main.js', 'let a'), ...texts]).files, 3)
})

test('the whole load is all code, without another console in a subfolder', () => {
  assert.equal(measureWholeLoad(FILES).files, 8)
})

test('an immediate dynamic import is a dependency, an import in a function is not', () => {
  const files = (script: string) => [
    file('index.html', '<script type="module" src="main.js"></script>'),
    file('main.js', script),
    file('rest.js', '')
  ]
  for (const script of [
    "import('./rest.js')",
    "import('./rest.js').then((x) => x.t)",
    'import(`./rest.js`)',
    "let ahead=(x)=>x();ahead(()=>import('./rest.js').then(x=>x.t),[0,1]);export{ahead}"
  ])
    assert.equal(measureFirstLoad(files(script)).files, 3, script)
  for (const script of ["const later = () => import('./rest.js')", "function later() { import('./rest.js') }"])
    assert.equal(measureFirstLoad(files(script)).files, 2, script)
})

test('a base element changes the references of the page', () => {
  const page = file('index.html', '<base href="/"><script src="main.js"></script>')
  assert.equal(measureFirstLoad([page, file('main.js', '')]).files, 2)
  const deep = file('index.html', '<base href="/deep/"><script src="main.js"></script>')
  assert.equal(measureFirstLoad([deep, file('deep/main.js', '')]).files, 2)
})

test('a missing dependency is an error, not a smaller size', () => {
  assert.throws(() => measureFirstLoad([file('index.html', '<script src="gone.js"></script>')]), /gone\.js/)
  assert.throws(() => measureFirstLoad([]), /index\.html/)
})

test.run()
