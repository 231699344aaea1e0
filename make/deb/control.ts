// The control files of the package.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION_FORMAT } from '../../pack/release.ts'
import type { Architecture } from './architecture.ts'

/**
 * What hub and engine start, and what the maintainer scripts call. No version is named where Debian 12 has a new
 * enough one.
 */
const DEPENDS: readonly string[] = [
  'ca-certificates',
  'systemd',
  'ffmpeg',
  'fonts-dejavu-core',
  'libnginx-mod-rtmp',
  'nginx',
  'openssl',
  'squashfs-tools'
]

/** For a hub that manages its machine, and the font of Chinese names in pictures. Pages say when one is missing. */
const RECOMMENDS: readonly string[] = [
  'chrony',
  'fonts-noto-cjk',
  'iproute2',
  'iputils-ping',
  'network-manager',
  'nftables',
  'polkitd'
]

/** The runtime of NDI, which the vendor provides, needs them. */
const SUGGESTS: readonly string[] = ['avahi-daemon', 'libavahi-client3']

/** The version of the package: VERSION, or else that of package.json. @throws Error when it is not one for Debian */
export function packageVersion(root: string, given = process.env.VERSION): string {
  const version = given || JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
  if (!VERSION_FORMAT.test(version)) throw new Error(`Not a version: ${version}`)
  return version
}

/**
 * Who publishes the package, as `Name <address>`: the author in package.json, or else of the commit.
 * @param root the clone
 * @param given takes the place of both; empty if there is none
 * @throws Error when it has another form
 */
export function maintainerOf(root: string, given = ''): string {
  const { author = '' }: { author?: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // It may end with a web site.
  const named = given || author.replace(/ \([^)]*\)$/, '')
  const git = ['-C', root, 'log', '-1', '--format=%an <%ae>']
  const maintainer = named || execFileSync('git', git, { encoding: 'utf8' }).trim()
  if (!/^[^<>\n]+ <[^<>\s]+@[^<>\s]+>$/.test(maintainer))
    throw new Error(`The maintainer must be given as MAINTAINER='Name <address>', and is: ${maintainer}`)
  return maintainer
}

export interface ControlFacts {
  version: string
  architecture: string
  maintainer: string
  /** Debian packages of the libraries that the programs are linked with. */
  libraries: readonly string[]
  /** KiB of the installed files. */
  installedSize: number
}

export function controlText({ version, architecture, maintainer, libraries, installedSize }: ControlFacts): string {
  return `Package: headend
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${installedSize}
Depends: ${[...DEPENDS, ...libraries].join(', ')}
Recommends: ${RECOMMENDS.join(', ')}
Suggests: ${SUGGESTS.join(', ')}
Section: video
Priority: optional
Description: web console and hub for video encoders, decoders and live channels
 Headend manages a fleet of video encoders, decoders and NDI devices, and
 carries live channels between them over RTMP, SRT, RTSP, HLS, UDP, RTP and NDI.
 .
 The package contains the hub with its web console, the stream engine, and a
 firewall service, as units of systemd. The hub manages the network, the time
 and the firewall of its machine. It brings its own Node.js.
`
}

/**
 * Debian packages of the libraries that programs are linked with, with the versions that they need.
 * @param folder for files of dpkg-shlibdeps
 */
export function libraryPackages(
  programs: readonly string[],
  folder: string,
  { name, sysroot }: Architecture
): string[] {
  // dpkg-shlibdeps reads the name of the source package.
  mkdirSync(join(folder, 'debian'), { recursive: true })
  writeFileSync(join(folder, 'debian/control'), 'Source: headend\n\nPackage: headend\nArchitecture: any\n')
  const env = { ...process.env, DEB_HOST_ARCH: name }
  const options = { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' } as const
  const args = [...(sysroot ? [`-S${sysroot}`] : []), ...programs.map((path) => `-e${path}`)]
  const output = execFileSync('dpkg-shlibdeps', ['-O', ...args], options)
  return output
    .replace(/^shlibs:Depends=/, '')
    .trim()
    .split(', ')
    .sort()
}

/** The sums of all installed files, as `dpkg --verify` reads them. @param paths relative to `folder`, in order */
export function checksums(folder: string, paths: readonly string[]): string {
  const sum = (path: string) =>
    createHash('md5')
      .update(readFileSync(join(folder, path)))
      .digest('hex')
  return paths.map((path) => `${sum(path)}  ${path}\n`).join('')
}
