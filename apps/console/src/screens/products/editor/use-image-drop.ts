import { useState, type ClipboardEvent, type DragEvent } from 'react'

/** @returns the properties of an element that takes dropped and pasted files, and looks different below dragged ones */
export function useImageDrop(canWrite: boolean, onFiles: (files: FileList) => void) {
  const [isOver, setOver] = useState(false)
  const bringsFiles = ({ dataTransfer }: DragEvent): boolean => canWrite && dataTransfer.types.includes('Files')
  return {
    'data-over': isOver,
    onDragOver(event: DragEvent) {
      if (!bringsFiles(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      setOver(false)
      event.preventDefault()
      if (bringsFiles(event)) onFiles(event.dataTransfer.files)
    },
    onPaste(event: ClipboardEvent) {
      if (!canWrite || event.clipboardData.files.length === 0) return
      event.preventDefault()
      onFiles(event.clipboardData.files)
    },
  }
}
