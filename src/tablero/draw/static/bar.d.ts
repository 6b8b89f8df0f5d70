// What the scripts of written pages find: the run or the pictures, an element by its id, and the bar of bar.js.
declare const D: any;
declare function $(id: string): any;
declare function playBar(options: {
  total: number;
  go: (place: number, seen?: boolean) => void;
  rate?: (speed: number) => number;
  each?: (passed: number, speed: number) => void;
  word?: string;
}): { go: (place: number, seen?: boolean) => void; play: () => void; pause: () => void; place: () => number };
