// `make deb`: writes build/headend_VERSION_ARCHITECTURE.deb. The same commit, built with the same compiler, gives the
// same bytes. Environment variables: VERSION replaces the version of package.json, ARCH the architecture of this
// machine, MAINTAINER (`Name <address>`) the author in package.json or of the commit; XZ_LEVEL (6) is the level of the
// compression.
import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, lutimesSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Commit, commitOf } from '../bundler/commit.ts'
import { createReleaseSbom } from '../firmware-pack/format/sbom.ts'
import { architectureOf, nodeFolder } from './deb/architecture.ts'
import { checksums, controlText, libraryPackages, maintainerOf, packageVersion } from './deb/control.ts'
import { copyrightText } from './deb/copyright.ts'
import { NATIVE_PROGRAMS, runtimePackages, writeRelease, writeVersion } from './deb/release-files.ts'
import { packageUnit } from './deb/units.ts'

const ROOT = resolve(import.meta.dirname, '..')
const ARCHITECTURE = architectureOf(ROOT, process.env.ARCH)
const NODE = nodeFolder(ROOT, ARCHITECTURE)
const MAINTAINER = maintainerOf(ROOT, process.env.MAINTAINER)

/** Files of deploy/ that are installed as they are, by their place in the package. */
const COPIES: Readonly<Record<string, string>> = {
  'usr/lib/headend/launch': 'debian/launch',
  'usr/lib/sysctl.d/50-headend.conf': 'debian/sysctl.conf',
  'usr/lib/sysusers.d/headend.conf': 'systemd/sysusers.conf',
  'usr/lib/tmpfiles.d/headend.conf': 'systemd/tmpfiles.conf',
  'usr/lib/tmpfiles.d/headend-chrony.conf': 'chrony/tmpfiles.conf',
  'usr/lib/systemd/system/chrony.service.d/headend.conf': 'chrony/chrony.service.conf',
  'usr/share/doc/headend/examples/cloud.env': 'cloud/systemd/cloud.env',
  'usr/share/doc/headend/examples/postgresql.conf': 'cloud/postgresql.conf',
  'usr/share/lintian/overrides/headend': 'debian/lintian-overrides',
  'etc/chrony/conf.d/headend.conf': 'chrony/headend.conf'
}

/** Files that may be run. */
const EXECUTABLE =
  /^(usr\/lib\/headend\/(launch|package\/bin\/node|package\/build\/headend-[a-z-]+)|DEBIAN\/(pre|post)(inst|rm))$/

const deploy = (path: string) => readFileSync(join(ROOT, 'deploy', path), 'utf8')

/** Writes one file of the package. */
type Write = (path: string, content: string | Buffer) => void

function writeSystemFiles(write: Write): void {
  for (const [path, source] of Object.entries(COPIES)) write(path, deploy(source))
  for (const source of ['systemd', 'cloud/systemd'])
    for (const name of readdirSync(join(ROOT, 'deploy', source)))
      if (name.endsWith('.service')) write(`usr/lib/systemd/system/${name}`, packageUnit(deploy(`${source}/${name}`)))
  for (const name of readdirSync(join(ROOT, 'deploy/polkit')))
    write(`usr/share/polkit-1/rules.d/${name}`, deploy(`polkit/${name}`))
}

/** Compresses without the time, which would differ in each build. */
const compress = (text: string) => gzipSync(text, { level: 9 })

const readJson = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

function writeDocuments(write: Write, version: string, { id: commit, time: seconds }: Commit): void {
  const legal = readFileSync(join(ROOT, 'dist/legal.txt'), 'utf8')
  const time = new Date(seconds * 1000)
  const date = time.toUTCString().replace('GMT', '+0000')
  const changes = `headend (${version}) stable; urgency=medium\n\n  * Release ${version}.\n\n -- ${MAINTAINER}  ${date}\n`
  write('usr/share/doc/headend/copyright', copyrightText(ROOT, runtimePackages(ROOT), legal))
  write('usr/share/doc/headend/changelog.gz', compress(changes))
  const parts = {
    paths: runtimePackages(ROOT),
    nodePath: `node_modules/${ARCHITECTURE.nodePackage}`,
    readPackage: (path: string) => readJson(`${path}/package.json`)
  }
  const release = { name: 'headend', version, commit, time: time.toISOString() }
  const sbom = createReleaseSbom(release, legal, readJson('package-lock.json'), parts)
  // Not compressed: tools find it by its name.
  write('usr/share/doc/headend/headend.cdx.json', sbom)
  write('usr/share/doc/headend/node-licences.gz', compress(readFileSync(join(NODE, 'LICENSE'), 'utf8')))
}

/** Paths of all files below a folder, relative to it, in order. */
function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

function writeControl(folder: string, write: Write, version: string): void {
  const paths = filesBelow(folder)
  const sizes = paths.map((path) => Math.ceil(lstatSync(join(folder, path)).size / 1024))
  const programs = ['bin/node', ...NATIVE_PROGRAMS.map((name) => `build/${name}`)]
  const libraries = libraryPackages(
    programs.map((path) => join(folder, 'usr/lib/headend/package', path)),
    join(ROOT, 'build/deb-control'),
    ARCHITECTURE
  )
  const installedSize = sizes.reduce((sum, size) => sum + size, 0)
  const facts = { version, architecture: ARCHITECTURE.name, maintainer: MAINTAINER, libraries, installedSize }
  write('DEBIAN/control', controlText(facts))
  write(
    'DEBIAN/md5sums',
    checksums(
      folder,
      paths.filter((path) => !path.startsWith('etc/'))
    )
  )
  write('DEBIAN/conffiles', paths.flatMap((path) => (path.startsWith('etc/') ? `/${path}\n` : [])).join(''))
  write('DEBIAN/triggers', deploy('debian/triggers'))
  for (const script of ['preinst', 'postinst', 'prerm', 'postrm'])
    write(`DEBIAN/${script}`, deploy(`debian/${script}`).replaceAll('@VERSION@', version))
}

/** Gives all files the modes that Debian expects, and the time of the commit. */
function normalise(folder: string, time: number): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, path)
    const isFolder = lstatSync(file).isDirectory()
    chmodSync(file, isFolder || EXECUTABLE.test(path) ? 0o755 : 0o644)
    lutimesSync(file, time, time)
  }
  chmodSync(folder, 0o755)
  lutimesSync(folder, time, time)
}

const version = packageVersion(ROOT)
const level = Number(process.env.XZ_LEVEL || 6)
const commit = commitOf(ROOT)
const { time } = commit
const folder = join(ROOT, 'build/deb')
const target = join(ROOT, `build/headend_${version}_${ARCHITECTURE.name}.deb`)
rmSync(folder, { recursive: true, force: true })
const write: Write = (path, content) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}
writeRelease(ROOT, join(folder, 'usr/lib/headend/package'), ARCHITECTURE, join(NODE, 'bin/node'))
writeVersion(join(folder, 'usr/lib/headend/package'), version)
mkdirSync(join(folder, 'var/lib/headend-releases'), { recursive: true })
writeSystemFiles(write)
writeDocuments(write, version, commit)
writeControl(folder, write, version)
normalise(folder, time)
// One thread, because the number of threads would change the bytes.
execFileSync('dpkg-deb', ['--root-owner-group', '--threads-max=1', '-Zxz', `-z${level}`, '--build', folder, target], {
  env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
  stdio: ['ignore', 'ignore', 'inherit']
})
rmSync(folder, { recursive: true })
console.log(`build/${basename(target)}  ${lstatSync(target).size.toLocaleString('en')} bytes`)
