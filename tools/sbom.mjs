import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './command.mjs'

// `node tools/sbom.mjs <folder ...>` prints the bill of materials (SPDX 2.3) of an image with these
// folders: the packages of package-lock.json that are installed in them. `npm sbom --omit=dev`
// omits a third of them, such as ajv, which Fastify loads.

/**
 * @typedef {{ name?: string, version: string, integrity: string, license?: string,
 *   link?: boolean }} Locked
 */

const folders = process.argv.slice(2)
const text = readFileSync(join(root, 'package-lock.json'), 'utf8')
const { name, version, packages } =
  /** @type {{ name: string, version: string, packages: Record<string, Locked> }} */ (
    JSON.parse(text)
  )
const modulesFolder = 'node_modules/'

const listed = Object.entries(packages)
  .filter(([path, { link }]) => path.includes(modulesFolder) && !link)
  .filter(([path]) => folders.some((folder) => path.startsWith(`${folder}/`)))
  .filter(([path]) => existsSync(join(root, path, 'package.json')))
  .map(([path, locked], index) => ({
    id: `SPDXRef-Package-${index + 1}`,
    name: locked.name ?? path.slice(path.lastIndexOf(modulesFolder) + modulesFolder.length),
    path,
    locked,
  }))

const purl = (/** @type {string} */ name, /** @type {string} */ version) => ({
  referenceCategory: 'PACKAGE-MANAGER',
  referenceType: 'purl',
  referenceLocator: `pkg:npm/${name.replace('@', '%40')}@${version}`,
})

/** The SHA-512 of a package's archive. */
const checksums = (/** @type {string} */ integrity) =>
  integrity
    .split(' ')
    .filter((digest) => digest.startsWith('sha512-'))
    .map((digest) => ({
      algorithm: 'SHA512',
      checksumValue: Buffer.from(digest.slice('sha512-'.length), 'base64').toString('hex'),
    }))

const own = 'SPDXRef-Package-slipway'
const common = { downloadLocation: 'NOASSERTION', filesAnalyzed: false }
const document = {
  spdxVersion: 'SPDX-2.3',
  dataLicense: 'CC0-1.0',
  SPDXID: 'SPDXRef-DOCUMENT',
  name: `${name}@${version}`,
  documentNamespace: `http://spdx.org/spdxdocs/${name}-${version}-${createHash('sha256').update(text).digest('hex')}`,
  creationInfo: {
    created: new Date().toISOString().replace(/\.\d+/, ''),
    creators: [`Tool: ${name}`],
  },
  documentDescribes: [own],
  packages: [
    {
      SPDXID: own,
      name,
      versionInfo: version,
      licenseDeclared: packages['']?.license ?? 'NOASSERTION',
      ...common,
      externalRefs: [purl(name, version)],
    },
    ...listed.map(({ id, name, path, locked }) => ({
      SPDXID: id,
      name,
      versionInfo: locked.version,
      packageFileName: path,
      licenseDeclared: locked.license ?? 'NOASSERTION',
      ...common,
      checksums: checksums(locked.integrity),
      externalRefs: [purl(name, locked.version)],
    })),
  ],
  relationships: [
    { spdxElementId: 'SPDXRef-DOCUMENT', relatedSpdxElement: own, relationshipType: 'DESCRIBES' },
    ...listed.map(({ id }) => ({
      spdxElementId: own,
      relatedSpdxElement: id,
      relationshipType: 'CONTAINS',
    })),
  ],
}
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
