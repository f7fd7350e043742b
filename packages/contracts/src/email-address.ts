import { toASCII } from 'tr46'

/** An email address that mail can be sent to. */
export interface EmailAddress {
  /** As it was typed, without surrounding spaces: for display. */
  typed: string
  /**
   * The one form that all spellings of the address share: for every comparison, every limit, and for sending. The
   * domain is in ASCII by IDNA and in lower case; the local part is in NFC, with the letters A to Z in lower case.
   */
  canonical: string
}

const MAX_TYPED_LENGTH = 320
/**
 * The maximum that a mail server accepts (RFC 5321, 4.5.3.1): in octets, the whole address without its angle brackets.
 */
const MAX_OCTETS = { localPart: 64, address: 254 }

const PARTS = /^([^\s@"<>(),;:\\[\]]+)@([^\s@"<>(),;:\\[\]]+)$/
/** Control, bidirectional, unassigned and invisible characters: two addresses that differ in them look the same. */
const HIDDEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u
/** Two labels or more, each without a hyphen at an end; the last one is not a number, or it would be an IP address. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?!\d+$)[a-z0-9][a-z0-9-]*[a-z0-9]$/

const IDNA = {
  checkBidi: true,
  checkHyphens: true,
  checkJoiners: true,
  ignoreInvalidPunycode: false,
  transitionalProcessing: false,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
}

/**
 * Reads an email address that a person typed. A valid address says nothing about its owner: only a confirmation mail
 * proves that (docs/decisions/0055).
 * @param text of any length, with or without surrounding spaces
 * @returns undefined when no mail can be sent to it, or when it holds characters that would make it look like another
 * address
 */
export function readEmailAddress(text: string): EmailAddress | undefined {
  const typed = text.trim()
  if (typed.length > MAX_TYPED_LENGTH || HIDDEN.test(typed)) return undefined
  const [, typedLocalPart, typedDomain] = PARTS.exec(typed) ?? []
  if (typedLocalPart === undefined || typedDomain === undefined) return undefined
  const localPart = canonicalLocalPart(typedLocalPart)
  const domain = toASCII(typedDomain, IDNA)
  if (localPart === undefined || domain === null || !DOMAIN.test(domain)) return undefined
  const canonical = `${localPart}@${domain}`
  return octets(canonical) > MAX_OCTETS.address ? undefined : { typed, canonical }
}

/**
 * The mailbox that limits count, so that a mailbox cannot be flooded under ever new spellings. It identifies no owner
 * and is not for sending: `ada+shop@` may be another person's than `ada@` where a mail server takes the plus literally.
 * @param canonical form of an address
 * @returns the address without the part after a plus, and without the dots that Gmail ignores
 */
export function mailboxOf(canonical: string): string {
  const at = canonical.lastIndexOf('@')
  const [localPart, domain] = [canonical.slice(0, at), canonical.slice(at + 1)]
  const plus = localPart.indexOf('+')
  // A plus at the very beginning separates nothing.
  const name = plus > 0 ? localPart.slice(0, plus) : localPart
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${name}@${domain}`
  return `${name.replaceAll('.', '')}@gmail.com`
}

/**
 * Only A to Z are folded: the lower case of other letters depends on the language, and for some of them it is an ASCII
 * letter.
 */
function canonicalLocalPart(typed: string): string | undefined {
  if (Array.from(typed).some(foldsIntoAscii)) return undefined
  const folded = typed.normalize('NFC').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  return octets(folded) > MAX_OCTETS.localPart ? undefined : folded
}

/**
 * Such as the Kelvin sign, the dotted capital I and letters of full width, which some mail server on the way could
 * convert to ASCII.
 */
function foldsIntoAscii(character: string): boolean {
  if (isAscii(character)) return false
  const compatible = character.normalize('NFKC')
  const capital = character.toUpperCase()
  return /[\0-\x7f]/.test(compatible.toLowerCase()) || (capital.length === 1 && isAscii(capital))
}

function isAscii(character: string): boolean {
  return character <= '\x7f'
}

function octets(text: string): number {
  return new TextEncoder().encode(text).length
}
