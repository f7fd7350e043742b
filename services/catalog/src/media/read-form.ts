import type { MultipartValue } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { errorCode, type HttpError } from '@storefront/service'
import { pictureIncomplete, mediaRejected, uploadTooLarge, uploadTooSlow, type Issue } from '../errors.ts'
import { readableName } from './media.ts'

const MIB = 1024 * 1024
/** Limits of an upload (docs/contract.md). */
const MAX_FILE_BYTES = 20 * MIB
/** Maximum size of a form: the limit of the gateway. */
export const MAX_FORM_BYTES = 21 * MIB
export const tooLarge = () => uploadTooLarge({ fileMib: MAX_FILE_BYTES / MIB, formMib: MAX_FORM_BYTES / MIB })
const MAX_FILES = 10
const MAX_ALT_CHARACTERS = 500
const LIMITS = {
  fileSize: MAX_FILE_BYTES,
  files: MAX_FILES,
  fields: 20,
  parts: 30,
  fieldNameSize: 100,
  fieldSize: 4000,
  headerPairs: 50,
}

export interface UploadedFile {
  name: string
  bytes: Buffer
  /** Undefined when none was given. */
  alt: string | undefined
}

/** Reads a form with pictures into memory: there are no temporary files. @throws HttpError */
export async function readFormInTime(request: FastifyRequest, deadlineMs: number): Promise<UploadedFile[]> {
  // The client disconnected while it waited in the queue, so neither data nor an end would arrive.
  if (request.raw.destroyed) throw pictureIncomplete()
  const reading = readForm(request)
  const { promise: tooLate, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(uploadTooSlow()), deadlineMs)
  try {
    return await Promise.race([reading, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

async function readForm(request: FastifyRequest): Promise<UploadedFile[]> {
  const files: { name: string; bytes: Buffer }[] = []
  const alts: string[] = []
  const issues: Issue[] = []
  let totalBytes = 0
  let isTooLarge = false
  try {
    for await (const part of request.parts({ limits: LIMITS })) {
      if (part.type === 'field') {
        if (part.fieldname === 'alt') alts.push(textOf(part))
        else if (part.fieldname === 'file') issues.push({ path: 'file', message: 'must be a file' })
      } else if (part.fieldname === 'file' && !isTooLarge) {
        const bytes = await part.toBuffer()
        totalBytes += bytes.length
        if (part.file.truncated || totalBytes > MAX_FORM_BYTES) isTooLarge = true
        else files.push({ name: readableName(part.filename), bytes })
      } else {
        if (!isTooLarge) issues.push({ path: 'file', message: 'send each file in the field `file`' })
        // Still read to its end, because the response is sent after the upload.
        part.file.resume()
      }
    }
  } catch (error) {
    throw formError(error)
  }
  if (isTooLarge) throw tooLarge()
  if (files.length === 0 && issues.length === 0) issues.push({ path: 'file', message: 'is missing' })
  issues.push(...faultsOfAlts(alts, files.length))
  if (issues.length > 0) throw mediaRejected(issues)
  return files.map((file, index) => ({ ...file, alt: (alts.length === 1 ? alts[0] : alts[index])?.trim() }))
}

/** A field with a JSON content type is already parsed, and counts as text that cannot be stored. */
function textOf({ value }: MultipartValue): string {
  return typeof value === 'string' ? value : '\0'
}

function faultsOfAlts(alts: readonly string[], files: number): Issue[] {
  const issues: Issue[] = []
  if (alts.length > 1 && alts.length !== files)
    issues.push({ path: 'alt', message: 'must be given once, or once for each file' })
  if (alts.some((alt) => alt.trim() === '')) issues.push({ path: 'alt', message: 'must not be blank' })
  if (alts.some((alt) => alt.length > MAX_ALT_CHARACTERS)) {
    issues.push({ path: 'alt', message: `must not exceed ${MAX_ALT_CHARACTERS} characters` })
  }
  if (alts.some((alt) => alt.includes('\0') || !alt.isWellFormed())) {
    issues.push({ path: 'alt', message: 'must not contain NUL characters or lone surrogates' })
  }
  return issues
}

/** All errors of the parser are about the form, and their messages are not for clients. */
function formError(error: unknown): HttpError {
  const code = errorCode(error)
  if (code === 'FST_FILES_LIMIT') {
    return mediaRejected([{ path: 'file', message: `must not be more than ${MAX_FILES} files` }])
  }
  if (code === 'FST_FIELDS_LIMIT' || code === 'FST_PARTS_LIMIT') {
    return mediaRejected([{ path: '', message: 'has too many fields' }])
  }
  return pictureIncomplete()
}
