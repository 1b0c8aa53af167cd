import { createHash } from 'node:crypto'
import { type AccessState, checkAccess } from './access.ts'
import { currentSession } from './current-session.ts'
import { isFormToken, writeFailure } from './editor-access.ts'
import { isFromOrigin } from './form.ts'
import { length, maxCharacters } from './page-form.ts'
import { phrases } from './phrases.ts'
import { pictureAddress } from './picture-address.ts'
import { inspectPicture } from './picture-format.ts'
import type { PictureProblem } from './picture-problem.ts'
import { send } from './respond.ts'
import { reportFailure } from './sign-in.ts'
import { type Visit, visitedUrl } from './visit.ts'
import type { Picture, PictureFile, Website } from './website.ts'

/** The limits of pictures, far above what the browser sends. */
const limits = {
  files: 4,
  fileBytes: 3 * 2 ** 20,
  requestBytes: 6 * 2 ** 20,
  side: 4096,
  pictures: 100,
  totalBytes: 100 * 2 ** 20,
}

const statuses: Record<PictureProblem, number> = {
  signed_out: 401,
  unreadable: 415,
  unsupported: 415,
  too_large: 413,
  too_many: 409,
  no_space: 507,
  failed: 503,
}

const sendJson = ({ response }: Visit, status: number, body: object) =>
  send(response, status, 'application/json', JSON.stringify(body), { 'cache-control': 'no-store' })

const sendProblem = (visit: Visit, problem: PictureProblem) =>
  sendJson(visit, statuses[problem], { error: phrases[visit.language].pictureProblems[problem] })

/**
 * The body; null when it is too large. It is read to the end, so that the browser gets a response.
 */
const readBody = async ({ request }: Visit): Promise<Buffer | null> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= limits.requestBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  return size <= limits.requestBytes ? Buffer.concat(chunks) : null
}

type Upload = { picture: Picture; contents: Buffer[] }

const parseForm = async (type: string | undefined, body: Buffer): Promise<FormData | null> => {
  if (!type?.toLowerCase().startsWith('multipart/form-data')) return null
  try {
    return await new Response(new Uint8Array(body), {
      headers: { 'content-type': type },
    }).formData()
  } catch {
    return null
  }
}

/** True if the files are one picture in several widths. */
const areOnePicture = (files: readonly PictureFile[]): boolean => {
  const [first] = files
  return files.every(
    (file, index) =>
      first !== undefined &&
      file.type === first.type &&
      file.width > (files[index - 1]?.width ?? 0) &&
      // Each side is rounded.
      Math.abs(file.height - (file.width * first.height) / first.width) <= file.width / first.width,
  )
}

const readUpload = async (form: FormData): Promise<Upload | PictureProblem | 'no_alt'> => {
  const sentFiles = form.getAll('file').filter((value) => typeof value !== 'string')
  if (sentFiles.length === 0 || sentFiles.length > limits.files) return 'unsupported'
  const contents = await Promise.all(
    sentFiles.map(async (blob) => Buffer.from(await blob.arrayBuffer())),
  )
  const files: PictureFile[] = []
  for (const content of contents) {
    const format = inspectPicture(content)
    if (!format) return 'unsupported'
    const { type, width, height } = format
    if (content.length > limits.fileBytes || Math.max(width, height) > limits.side)
      return 'too_large'
    if (Math.min(width, height) < 1) return 'unsupported'
    files.push({ width, height, type, bytes: content.length })
  }
  if (!areOnePicture(files)) return 'unsupported'
  const written = String(form.get('alt') ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  const isDecorative = form.has('decorative')
  if (!isDecorative && (written === '' || length(written) > maxCharacters.alt)) return 'no_alt'
  const hash = createHash('sha256')
  for (const content of contents) hash.update(content)
  const id = hash.digest('hex').slice(0, 12)
  const alt = isDecorative ? null : written
  return { picture: { id, alt, files, updatedAt: new Date().toISOString() }, contents }
}

const bytesOf = ({ files }: Picture) => files.reduce((sum, { bytes }) => sum + bytes, 0)

const fits = ({ pictures }: Website, picture: Picture): boolean =>
  pictures.length < limits.pictures &&
  [...pictures, picture].reduce((sum, each) => sum + bytesOf(each), 0) <= limits.totalBytes

const store = async (visit: Visit, { picture, contents }: Upload): Promise<'too_many' | null> => {
  const { website, pictureFiles } = visit.site
  const websiteWithoutPicture = () => {
    const current = website.current()
    return { ...current, pictures: current.pictures.filter(({ id }) => id !== picture.id) }
  }
  if (!fits(websiteWithoutPicture(), picture)) return 'too_many'
  const isNew = website.current().pictures.every(({ id }) => id !== picture.id)
  try {
    await pictureFiles.write(picture, contents)
    return await website.change<'too_many'>((current) => {
      const pictures = current.pictures.filter(({ id }) => id !== picture.id)
      if (!fits({ ...current, pictures }, picture)) return 'too_many'
      return { ...current, pictures: [picture, ...pictures] }
    })
  } catch (error) {
    if (isNew) await pictureFiles.remove(picture)
    throw error
  }
}

/**
 * Stores a picture that the browser has made smaller, in several widths, and responds with JSON.
 * The form token is in a header: without it the body is not read.
 */
export const uploadPicture = async (visit: Visit): Promise<void> => {
  const { site, request, language } = visit
  const url = visitedUrl(visit)
  const session = await currentSession(visit)
  const token = request.headers['x-form-token']
  const isOwn = url !== null && isFromOrigin(request, url.origin)
  if (!isOwn || !session || !isFormToken(session, typeof token === 'string' ? token : null)) {
    request.resume()
    return sendProblem(visit, 'signed_out')
  }
  let access: AccessState
  try {
    access = await checkAccess(visit, session)
  } catch (error) {
    reportFailure(visit, error, 'The console is unavailable')
    request.resume()
    return sendProblem(visit, 'failed')
  }
  if (access !== 'granted') {
    request.resume()
    return sendProblem(visit, 'signed_out')
  }

  const body = await readBody(visit)
  if (!body) return sendProblem(visit, 'too_large')
  const form = await parseForm(request.headers['content-type'], body)
  if (!form) return sendProblem(visit, 'unsupported')
  const upload = await readUpload(form)
  if (upload === 'no_alt') return sendJson(visit, 422, { error: phrases[language].altMissing })
  if (typeof upload === 'string') return sendProblem(visit, upload)
  let problem: 'too_many' | null
  try {
    problem = await store(visit, upload)
  } catch (error) {
    const failure = writeFailure(visit, error, 'A picture could not be stored')
    return sendProblem(visit, failure === 'diskFull' ? 'no_space' : 'failed')
  }
  if (problem) return sendProblem(visit, problem)
  const { picture } = upload
  const [smallest] = picture.files
  site.log.info({ picture: picture.id, subject: session.subject }, 'A picture was added')
  sendJson(visit, 201, {
    id: picture.id,
    alt: picture.alt ?? '',
    thumbnail: smallest ? pictureAddress(picture, smallest) : '',
  })
}
