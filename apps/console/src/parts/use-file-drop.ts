import { useState, type DragEvent } from 'react'

/** @returns the properties of an element that takes a dropped file, and looks different while one is above it */
export function useFileDrop(onFile: (file: File) => void) {
  const [isOver, setOver] = useState(false)
  return {
    'data-over': isOver,
    onDragOver(event: DragEvent) {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault()
      setOver(false)
      const [file] = Array.from(event.dataTransfer.files)
      if (file) onFile(file)
    },
  }
}
