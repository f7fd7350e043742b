import { useRef } from 'react'
import { randomKey } from '../../parts/random-key.ts'

/** @returns a key for a request with this content: the same one when it is sent again after no response came */
export function useRequestKey(): (content: unknown) => string {
  const sent = useRef({ text: '', key: '' })
  return (content) => {
    const text = JSON.stringify(content)
    if (sent.current.text !== text) sent.current = { text, key: randomKey() }
    return sent.current.key
  }
}
