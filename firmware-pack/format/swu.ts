// The update for machines with swupdate: a cpio archive of a description, its CMS signature and the image.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeDigest, type Manifest } from '../../pack/manifest.ts'
import { PackError } from '../../pack/pack-error.ts'
import { assertHasCertificate } from '../keys.ts'
import { runTool } from '../process/run-tool.ts'
import { withTemporaryFolder } from '../process/temporary-folder.ts'
import { createCpio, readCpio } from './cpio.ts'

const DESCRIPTION = 'sw-description'
const SIGNATURE = 'sw-description.sig'

/** What the image is of. */
export type ImageOrigin = Pick<Manifest, 'name' | 'version' | 'commit' | 'time'>

/** Where swupdate writes an image: to a file, or to a block device. */
export type SwuTarget = { path: string } | { device: string }

/** The machine mounts the image of the console from this file at the next start. */
export const CONSOLE_TARGET: SwuTarget = { path: '/var/lib/headend/console.squashfs' }

/** Creates the description. It names all boards as compatible, which swupdate requires to be stated. */
function createDescription({ name, version, commit }: ImageOrigin, image: Buffer, target: SwuTarget): Buffer {
  const [section, place] =
    'path' in target
      ? [
          'files',
          `path = "${target.path}";\n    properties: { create-destination = "true"; atomic-install = "true"; };`
        ]
      : ['images', `type = "raw";\n    device = "${target.device}";`]
  return Buffer.from(`software = {
  version = "${version}";
  description = "${name} ${version}, commit ${commit}";
  hardware-compatibility: [ "#RE:.*" ];
  ${section}: ({
    filename = "${name}-${version}.squashfs";
    sha256 = "${computeDigest(image).sha256}";
    ${place}
  });
};
`)
}

/**
 * Creates a .swu file. Without signed attributes CMS contains no time, so the same key gives the same bytes.
 * @param keyFile RSA key and certificate in one PEM file
 * @throws PackError when the key file is missing or contains no certificate
 */
export function createSwu(origin: ImageOrigin, image: Buffer, keyFile: string, target = CONSOLE_TARGET): Buffer {
  assertHasCertificate('SWU_KEY', keyFile)
  const description = createDescription(origin, image, target)
  const signArgs = ['-outform', 'DER', '-md', 'sha256', '-binary', '-noattr', '-nosmimecap']
  // With an empty passphrase openssl does not prompt for one.
  const signature = runTool(
    'openssl',
    ['cms', '-sign', ...signArgs, '-signer', keyFile, '-passin', 'pass:'],
    description
  )
  return createCpio(
    [
      { path: DESCRIPTION, bytes: description },
      { path: SIGNATURE, bytes: signature },
      { path: `${origin.name}-${origin.version}.squashfs`, bytes: image }
    ],
    Date.parse(origin.time) / 1000
  )
}

/**
 * Verifies a .swu file with a certificate, as swupdate does.
 * @param time expected modification time of the files, in seconds since 1970
 * @returns the image
 * @throws PackError when it is truncated, signed with another key or changed after it was signed
 */
export function openSwu(bytes: Buffer, certificate: string, time: number): Buffer {
  const entries = readCpio(bytes)
  const [description, signature, image, ...others] = entries
  if (!image || others.length || description?.path !== DESCRIPTION || signature?.path !== SIGNATURE)
    throw new PackError(`The .swu does not contain ${DESCRIPTION}, ${SIGNATURE} and an image.`)
  withTemporaryFolder((folder) => {
    const [content, signed] = [join(folder, 'content'), join(folder, 'signature')]
    writeFileSync(content, description.bytes)
    writeFileSync(signed, signature.bytes)
    const verifyArgs = ['-inform', 'DER', '-in', signed, '-content', content, '-binary', '-CAfile', certificate]
    runTool('openssl', ['cms', '-verify', ...verifyArgs, '-out', join(folder, 'out')])
  })
  if (!String(description.bytes).includes(`sha256 = "${computeDigest(image.bytes).sha256}"`))
    throw new PackError('The image in the .swu does not match the signed content.')
  if (!createCpio(entries, time).equals(bytes))
    throw new PackError('The .swu contains additional data or unexpected headers.')
  return image.bytes
}
