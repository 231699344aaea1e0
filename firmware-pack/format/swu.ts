// The same update for hubs that run swupdate: a cpio archive with a description, a CMS signature of it, and the image.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Manifest, computeDigest } from '../../pack/manifest.ts'
import { PackError } from '../../pack/pack-error.ts'
import { createCpio, readCpio } from './cpio.ts'
import { runTool } from '../process/run-tool.ts'
import { withTemporaryFolder } from '../process/temporary-folder.ts'

const DESCRIPTION = 'sw-description'
const SIGNATURE = 'sw-description.sig'

/** Where swupdate lays the image. What mounts it looks there at the next start. */
export const TARGET = '/var/lib/headend/console.squashfs'

/** The console runs on any board, which swupdate wants to be told. */
function createDescription({ name, version, commit }: Manifest, image: Buffer): Buffer {
  return Buffer.from(`software = {
  version = "${version}";
  description = "${name} ${version}, commit ${commit}";
  hardware-compatibility: [ "#RE:.*" ];
  files: ({
    filename = "${name}-${version}.squashfs";
    path = "${TARGET}";
    sha256 = "${computeDigest(image).sha256}";
    properties: { create-destination = "true"; atomic-install = "true"; };
  });
};
`)
}

/**
 * @param keyFile RSA key and certificate in one PEM file. Without signed attributes CMS holds no time, so the same key gives the same bytes.
 */
export function createSwu(manifest: Manifest, image: Buffer, keyFile: string): Buffer {
  if (!existsSync(keyFile)) throw new PackError(`SWU_KEY: there is no file ${keyFile}.`)
  if (!/BEGIN CERTIFICATE/.test(readFileSync(keyFile, 'latin1')))
    throw new PackError(`SWU_KEY: ${keyFile} has no certificate beside its key.`)
  const description = createDescription(manifest, image)
  const signArgs = ['-outform', 'DER', '-md', 'sha256', '-binary', '-noattr', '-nosmimecap']
  // An empty passphrase keeps openssl from asking the terminal for one.
  const signature = runTool('openssl', ['cms', '-sign', ...signArgs, '-signer', keyFile, '-passin', 'pass:'], description)
  return createCpio(
    [
      { path: DESCRIPTION, bytes: description },
      { path: SIGNATURE, bytes: signature },
      { path: `${manifest.name}-${manifest.version}.squashfs`, bytes: image }
    ],
    Date.parse(manifest.time) / 1000
  )
}

/**
 * Opens what the holder of a certificate's key has signed, as swupdate does.
 * @param time that its files carry: seconds since 1970
 * @returns the image
 * @throws Refusal when it is cut short, by another key, or not what was signed
 */
export function openSwu(bytes: Buffer, certificate: string, time: number): Buffer {
  const entries = readCpio(bytes)
  const [description, signature, image, ...others] = entries
  if (!image || others.length || description?.path !== DESCRIPTION || signature?.path !== SIGNATURE)
    throw new PackError(`The .swu does not hold ${DESCRIPTION}, ${SIGNATURE} and an image.`)
  withTemporaryFolder((folder) => {
    const [content, signed] = [join(folder, 'content'), join(folder, 'signature')]
    writeFileSync(content, description.bytes)
    writeFileSync(signed, signature.bytes)
    const verifyArgs = ['-inform', 'DER', '-in', signed, '-content', content, '-binary', '-CAfile', certificate]
    runTool('openssl', ['cms', '-verify', ...verifyArgs, '-out', join(folder, 'out')])
  })
  if (!String(description.bytes).includes(`sha256 = "${computeDigest(image.bytes).sha256}"`))
    throw new PackError('The image in the .swu is not what was signed.')
  if (!createCpio(entries, time).equals(bytes))
    throw new PackError('The .swu holds more than was packed, or says other things of it.')
  return image.bytes
}
