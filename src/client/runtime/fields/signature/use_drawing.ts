import { useRef, useState } from 'react';
import type { PointerEvent } from 'react';

/** A canvas for drawing with finger, pen or mouse. */
export function useDrawing(onBegin?: () => void) {
  const [drawn, setDrawn] = useState(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  const context = () => {
    const pen = canvas.current?.getContext('2d');
    if (!pen || !canvas.current) return null;
    const { width, height } = canvas.current.getBoundingClientRect();
    // Once per size: setting the width clears a canvas.
    if (canvas.current.width !== Math.round(width * 2)) {
      canvas.current.width = Math.round(width * 2);
      canvas.current.height = Math.round(height * 2);
      pen.scale(2, 2);
    }
    pen.lineWidth = 2;
    pen.lineCap = 'round';
    pen.lineJoin = 'round';
    pen.strokeStyle = getComputedStyle(canvas.current).color;
    return pen;
  };
  const point = (event: PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top] as const;
  };
  return {
    drawn,
    clear() {
      const pen = context();
      if (pen && canvas.current) pen.clearRect(0, 0, canvas.current.width, canvas.current.height);
      setDrawn(false);
    },
    /** Passes on the drawing as a picture. */
    picture(take: (file: File) => void) {
      canvas.current?.toBlob((blob) => {
        if (blob) take(new File([blob], 'signature.png', { type: 'image/png' }));
      }, 'image/png');
    },
    surface: {
      ref: canvas,
      role: 'img',
      onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const pen = context();
        pen?.beginPath();
        pen?.moveTo(...point(event));
        setDrawn(true);
        onBegin?.();
      },
      onPointerMove: (event: PointerEvent<HTMLCanvasElement>) => {
        if (event.buttons === 0) return;
        const pen = context();
        pen?.lineTo(...point(event));
        pen?.stroke();
      },
    },
  };
}
