import { useEffect, useRef, useState } from 'react';
import { BigButton } from './BigButton.tsx';
import styles from './visit.module.css';

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
type DetectorClass = new (options: { formats: string[] }) => Detector;

const detectorClass = () => (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
const LOOK_MS = 250;

/** Scans the QR label of the lift with the camera; if the browser cannot, its number is typed. */
export function LabelScan({ value, onRead }: { value: string; onRead: (text: string) => void }) {
  const [open, setOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <>
      {open ? (
        <Camera
          onRead={(text) => {
            setOpen(false);
            onRead(text);
          }}
          onFail={(message) => {
            setOpen(false);
            setProblem(message);
          }}
        />
      ) : (
        detectorClass() !== undefined && <BigButton onPress={() => setOpen(true)}>Scan the label of the lift</BigButton>
      )}
      {problem !== null && <p className={styles.soft}>{problem}</p>}
      <label className={styles.label}>
        Number on the label
        <input
          className={styles.input}
          value={value}
          placeholder="L00042"
          autoCapitalize="characters"
          onChange={({ target }) => onRead(target.value)}
        />
      </label>
    </>
  );
}

function Camera({ onRead, onFail }: { onRead: (text: string) => void; onFail: (message: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const handlers = useRef({ onRead, onFail });
  useEffect(() => {
    handlers.current = { onRead, onFail };
  });
  useEffect(() => {
    let stream: MediaStream | undefined;
    let isGone = false;
    let timer: ReturnType<typeof setInterval> | undefined;
    const detector = new (detectorClass()!)({ formats: ['qr_code'] });
    navigator.mediaDevices
      .getUserMedia({ video: { facingMode: 'environment' } })
      .then(async (found) => {
        stream = found;
        if (isGone || !video.current) return found.getTracks().forEach((track) => track.stop());
        video.current.srcObject = found;
        await video.current.play();
        timer = setInterval(() => {
          if (!video.current) return;
          detector
            .detect(video.current)
            .then(([code]) => code && handlers.current.onRead(code.rawValue))
            .catch(() => undefined);
        }, LOOK_MS);
      })
      .catch(() => handlers.current.onFail('The camera cannot be used here. Type the number on the label.'));
    return () => {
      isGone = true;
      clearInterval(timer);
      stream?.getTracks().forEach((track) => track.stop());
    };
  }, []);
  return <video ref={video} className={styles.camera} muted playsInline aria-label="Camera, pointed at the label" />;
}
